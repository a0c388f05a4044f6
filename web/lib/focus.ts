/** Focuses the first invalid field. */
export function focusFirstInvalid(within: ParentNode = document): void {
  // The field is marked only after the next render.
  setTimeout(() => within.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
