/** The server's clock decides about deadlines; its `Date` header tells how far this machine's clock is off. */

let offsetMs = 0

/** Learns the offset from an answer's `Date` header (whole seconds). */
export function noteServerDate(header: string | null): void {
  const serverMs = header === null ? Number.NaN : Date.parse(header)
  if (Number.isNaN(serverMs)) return
  const measured = serverMs + 500 - Date.now()
  // Within the header's own precision this machine's clock is as good.
  offsetMs = Math.abs(measured) < 1_500 ? 0 : measured
}

/** Epoch milliseconds of the server, as well as this machine knows them. */
export function serverNowMs(): number {
  return Date.now() + offsetMs
}
