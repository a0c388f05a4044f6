/** A fresh random key. Not `crypto.randomUUID`, which plain-HTTP addresses do not have. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
