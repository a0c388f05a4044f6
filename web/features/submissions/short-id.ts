/** The last eight digits of an id: the first digits only tell its time of creation. */
export function shortId(submissionId: string): string {
  return submissionId.slice(-8)
}
