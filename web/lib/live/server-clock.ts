/** The server's clock decides about deadlines; its `Date` header shows by how much this machine's clock differs. */

let offsetMs = 0

/** Learns the offset from an answer's `Date` header (whole seconds). */
export function noteServerDate(header: string | null): void {
  const serverMs = header === null ? Number.NaN : Date.parse(header)
  if (Number.isNaN(serverMs)) return
  const measured = serverMs + 500 - Date.now()
  // If the difference is smaller than the header's precision, this machine's clock is used.
  offsetMs = Math.abs(measured) < 1_500 ? 0 : measured
}

/** Epoch milliseconds by the server's clock. */
export function serverNowMs(): number {
  return Date.now() + offsetMs
}
