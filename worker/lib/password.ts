/**
 * Password hashing: scrypt (RFC 7914) from node:crypto, kept as a PHC string with its parameters,
 * so that they can be raised without locking anybody out. N·r·p stays within 2^20, the most that
 * workerd allows. A password is hashed in Unicode normal form C (as SP 800-63B asks), because keyboards
 * differ in how they compose an accent; nothing else about it is changed, not even a space at its end.
 */
import { Buffer } from 'node:buffer'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const PARAMETERS = { ln: 14, r: 8, p: 5 }
const HASH_BYTES = 32
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Derives a key off the event loop. */
function deriveKey(password: string, salt: Buffer, cost: typeof PARAMETERS): Promise<Buffer> {
  const options = { N: 2 ** cost.ln, r: cost.r, p: cost.p, maxmem: 64 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

/** Base64 without padding, as PHC strings have it. */
function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** A new PHC string for a password. Takes about 0.2 s of CPU. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await deriveKey(password, salt, PARAMETERS)
  return `$scrypt$ln=${PARAMETERS.ln},r=${PARAMETERS.r},p=${PARAMETERS.p}$${encode(salt)}$${encode(key)}`
}

/** Hash of nothing anybody knows: checked when there is no account, so that both refusals take the same time. */
const NOBODY = `$scrypt$ln=14,r=8,p=5$${encode(Buffer.alloc(16))}$${encode(Buffer.alloc(HASH_BYTES))}`

/**
 * Whether a password fits.
 * @param phc the stored string; null (no such account, or no password yet) costs the same time and is false
 */
export async function verifyPassword(password: string, phc: string | null): Promise<boolean> {
  const match = PHC.exec(phc ?? NOBODY)
  if (!match) throw new Error('A stored password hash is not a scrypt PHC string')
  const [, ln, r, p, salt = '', hash = ''] = match
  const expected = Buffer.from(hash, 'base64')
  const key = await deriveKey(password, Buffer.from(salt, 'base64'), {
    ln: Number(ln),
    r: Number(r),
    p: Number(p),
  })
  return key.length === expected.length && timingSafeEqual(key, expected) && phc !== null
}

/** Whether a hash was made with other parameters than today's, so that the next sign-in should renew it. */
export function needsRehash(phc: string): boolean {
  const [, ln, r, p] = PHC.exec(phc) ?? []
  return Number(ln) !== PARAMETERS.ln || Number(r) !== PARAMETERS.r || Number(p) !== PARAMETERS.p
}
