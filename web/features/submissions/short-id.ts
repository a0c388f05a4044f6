/** The last eight digits of an id: the first ones are its time of creation. */
export function shortId(submissionId: string): string {
  return submissionId.slice(-8)
}
