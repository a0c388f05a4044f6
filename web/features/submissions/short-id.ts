/** The end of an id, which tells submissions apart: the beginning is the time they were made. */
export function shortId(submissionId: string): string {
  return submissionId.slice(-8)
}
