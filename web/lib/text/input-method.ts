/** Input methods: how Chinese, Japanese and Korean are typed. */

/**
 * Whether a key belongs to an input method, like the Enter that ends a word. In Safari only the key code tells this,
 * because there the word has ended before the key event comes.
 */
export function isInputMethodKey({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return isComposing || keyCode === 229
}

/** Whether a key sends what was typed: Ctrl+Enter, or Cmd+Enter on a Mac. */
export function isSendKey(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isInputMethodKey(event)
}
