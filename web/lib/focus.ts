/** Focuses the first invalid field. */
export function focusFirstInvalid(within: ParentNode = document): void {
  // The field is marked only after the next render.
  setTimeout(() => within.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}

/** Focuses the page; the element that had the focus is gone. */
export function focusMain(): void {
  document.getElementById('main')?.focus({ preventScroll: true })
}
