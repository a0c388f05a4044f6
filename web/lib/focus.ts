/** Puts the focus on the first field that was refused, once it is shown as such. */
export function focusFirstInvalid(within: ParentNode = document): void {
  // The refusal is in the document only after the next render.
  setTimeout(() => within.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
