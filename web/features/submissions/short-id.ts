/** The last eight digits of an id: the first digits only tell when it was created. */
export function shortId(submissionId: string): string {
  return submissionId.slice(-8)
}
