/**
 * Password hashing: a chain of scrypts (RFC 7914) from node:crypto, each over the previous key with the same salt. One scrypt
 * blocks the thread; between two of them other calls run. The hash is a PHC string with its parameters, so they can be raised
 * later. N·r·p stays within 2^20, the most that workerd allows. Passwords are normalised to Unicode NFC (as SP 800-63B asks),
 * because keyboards compose accents differently; nothing else is changed, not even a trailing space.
 */
import { Buffer } from 'node:buffer'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** What one scrypt costs. */
interface Cost {
  ln: number
  r: number
  p: number
}

const HASH_BYTES = 32
const LINKS = 5
const COST = { ln: 14, r: 8, p: 1 } as const
const SCHEME = `$scrypt-chain$n=${LINKS},ln=${COST.ln},r=${COST.r},p=${COST.p}$`
/** A hash without `-chain` is a single scrypt, as in an older scheme. */
const PHC =
  /^\$scrypt(?:-chain\$n=(\d{1,2}),|\$)ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function deriveKey(secret: string | Buffer, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: 64 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, HASH_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

/** The key at the end of a chain of scrypts. Between two scrypts other calls go on. */
async function deriveChain(
  password: string,
  salt: Buffer,
  { links, ...cost }: Cost & { links: number },
): Promise<Buffer> {
  const secret = password.normalize('NFC')
  let key = await deriveKey(secret, salt, cost)
  for (let link = 1; link < links; link += 1) {
    await new Promise((resolve) => setTimeout(resolve))
    key = await deriveKey(key, salt, cost)
  }
  return key
}

/** Base64 without padding, as in PHC strings. */
function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** Hashes a password as a PHC string. Takes about 0.2 s of CPU. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await deriveChain(password, salt, { ...COST, links: LINKS })
  return `${SCHEME}${encode(salt)}$${encode(key)}`
}

/**
 * A hash that no password fits. Where there is no account, this hash is checked, so that the refusal takes as long as for a wrong password.
 */
const NOBODY = `${SCHEME}${encode(Buffer.alloc(16))}$${encode(Buffer.alloc(HASH_BYTES))}`

/**
 * Whether a password fits.
 * @param phc the stored hash; null (no account, or no password yet) takes the same time and is false
 */
export async function verifyPassword(password: string, phc: string | null): Promise<boolean> {
  const match = PHC.exec(phc ?? NOBODY)
  if (!match) throw new Error('A stored password hash is not a scrypt PHC string')
  const [, links = '1', ln, r, p, salt = '', hash = ''] = match
  const expected = Buffer.from(hash, 'base64')
  const cost = { links: Number(links), ln: Number(ln), r: Number(r), p: Number(p) }
  const key = await deriveChain(password, Buffer.from(salt, 'base64'), cost)
  return key.length === expected.length && timingSafeEqual(key, expected) && phc !== null
}

/** Whether a hash is of an older scheme and should be renewed at the next sign-in. */
export function needsRehash(phc: string): boolean {
  return !phc.startsWith(SCHEME)
}
