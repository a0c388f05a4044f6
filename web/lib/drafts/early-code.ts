/** The text field that `public/early-code.js` shows before the app is loaded. */

/** A cursor: offsets in a text, equal without a selection. */
export interface Caret {
  anchor: number
  head: number
  isFocused: boolean
}

/** The cursor of a text field. */
export function caretOf(field: HTMLTextAreaElement): Caret {
  const { selectionStart: start, selectionEnd: end, selectionDirection } = field
  const isBackward = selectionDirection === 'backward'
  return {
    anchor: isBackward ? end : start,
    head: isBackward ? start : end,
    isFocused: document.activeElement === field,
  }
}

function earlyField(): HTMLTextAreaElement | null {
  return document.querySelector<HTMLTextAreaElement>('#early-code')
}

/** The text typed into the field for a problem; null without such a field. */
export function readEarlyCode(problemId: number): { text: string; caret: Caret } | null {
  const field = earlyField()
  if (field?.dataset['problem'] !== String(problemId)) return null
  return { text: field.value, caret: caretOf(field) }
}

/** Removes the field; call it once another field has its text. */
export function removeEarlyCode(): void {
  earlyField()?.remove()
}

/** Shows the field only on the page that it is for. */
export function keepEarlyCodeOn(pathname: string): void {
  const field = earlyField()
  if (field) field.hidden = !pathname.endsWith(`/problem/${field.dataset['problem']}/submit`)
}
