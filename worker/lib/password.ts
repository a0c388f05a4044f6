/**
 * Password hashing with scrypt (RFC 7914) from node:crypto. The hash is a PHC string with its parameters,
 * so they can be raised later. N·r·p stays within 2^20, the most that workerd allows. Passwords are
 * normalised to Unicode NFC (as SP 800-63B asks), because keyboards compose accents differently; nothing
 * else is changed, not even a trailing space.
 */
import { Buffer } from 'node:buffer'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const PARAMETERS = { ln: 14, r: 8, p: 5 }
const HASH_BYTES = 32
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Derives a key outside the event loop. */
function deriveKey(password: string, salt: Buffer, cost: typeof PARAMETERS): Promise<Buffer> {
  const options = { N: 2 ** cost.ln, r: cost.r, p: cost.p, maxmem: 64 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

/** Base64 without padding, as in PHC strings. */
function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** Hashes a password as a PHC string. Takes about 0.2 s of CPU. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await deriveKey(password, salt, PARAMETERS)
  return `$scrypt$ln=${PARAMETERS.ln},r=${PARAMETERS.r},p=${PARAMETERS.p}$${encode(salt)}$${encode(key)}`
}

/**
 * A hash that no password fits. It is checked where there is no account, so that both refusals take the
 * same time.
 */
const NOBODY = `$scrypt$ln=14,r=8,p=5$${encode(Buffer.alloc(16))}$${encode(Buffer.alloc(HASH_BYTES))}`

/**
 * Whether a password fits.
 * @param phc the stored hash; null (no account, or no password yet) takes the same time and is false
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

/** Whether a hash has old parameters and should be renewed at the next sign-in. */
export function needsRehash(phc: string): boolean {
  const [, ln, r, p] = PHC.exec(phc) ?? []
  return Number(ln) !== PARAMETERS.ln || Number(r) !== PARAMETERS.r || Number(p) !== PARAMETERS.p
}
