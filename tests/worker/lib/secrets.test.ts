/** Secrets: how they are made, stored and compared. */
import { describe, expect, test, vi } from 'vitest'
import { findDeviceKey, newDeviceKey } from '../../../worker/lib/device-keys.ts'
import {
  hexIdAt,
  isSecret,
  newHexId,
  newSecret,
  secondsOfId,
  sha256Hex,
  toHex,
} from '../../../worker/lib/ids.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../../worker/lib/password.ts'

describe('a secret', () => {
  test('has 256 random bits, in letters that fit into a header', () => {
    const [one, other] = [newSecret(), newSecret()]
    expect(one).toMatch(/^[\w-]{43}$/)
    expect(one).not.toBe(other)
  })

  test('is told from every other text, and nothing is one where none is set', async () => {
    expect(await isSecret('present', 'present')).toBe(true)
    expect(await isSecret('previous', 'present', 'previous')).toBe(true)
    expect(await isSecret('another', 'present', 'previous')).toBe(false)
    expect(await isSecret('present', undefined, 'present')).toBe(true)
    expect(await isSecret('', undefined, '')).toBe(false)
    expect(await isSecret('undefined', undefined)).toBe(false)
    expect(await isSecret(null, 'present', 'null')).toBe(false)
    expect(await isSecret('present')).toBe(false)
  })

  test('is stored as SHA-256 (FIPS 180-2, appendix B.1)', async () => {
    expect(await sha256Hex('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
})

test('the time of an id is a bound for ids, also before 1970', () => {
  expect(hexIdAt(0)).toBe('000000000000')
  expect(hexIdAt(-5)).toBe('000000000000')
  expect(hexIdAt(0x1234)).toBe('000000001234')
})

test('an id tells in which second it was made', () => {
  expect(secondsOfId(newHexId(1_800_000_000_999))).toBe(1_800_000_000)
  expect(secondsOfId(newHexId(1_800_000_001_000))).toBe(1_800_000_001)
})

test('bytes are hex wherever in a buffer they lie', () => {
  expect(toHex(new Uint8Array([0, 1, 0xab, 0xff]).subarray(1, 3))).toBe('01ab')
})

describe('a device key', () => {
  const account = { id: 7, passwordHash: 'hash' }

  test('is of one account and one password', () => {
    const key = newDeviceKey(account)
    expect(findDeviceKey(account, [key])).toBe(key)
    expect(findDeviceKey({ ...account, id: 8 }, [key])).toBeUndefined()
    expect(findDeviceKey({ ...account, passwordHash: 'other' }, [key])).toBeUndefined()
    expect(newDeviceKey(account)).not.toBe(key)
  })

  test('is found among others, and nothing else is taken for one', () => {
    const [key, foreign] = [newDeviceKey(account), newDeviceKey({ ...account, id: 8 })]
    expect(findDeviceKey(account, [foreign, 'nonsense', key])).toBe(key)
    for (const wrong of ['', 'nonsense', `${key}x`, `x${key}`, key.slice(1), key.replace('.', ',')])
      expect(findDeviceKey(account, [wrong])).toBeUndefined()
    const [nonce = ''] = key.split('.')
    expect(findDeviceKey(account, [`${nonce}.${'a'.repeat(43)}`])).toBeUndefined()
    expect(findDeviceKey(account, [])).toBeUndefined()
  })
})

describe('a password', () => {
  test('is hashed with salt, and checked as it was typed but for how accents are composed', async () => {
    const [hash, again] = await Promise.all([hashPassword('pässword '), hashPassword('pässword ')])
    expect(hash).not.toBe(again)
    expect(hash).toMatch(
      /^\$scrypt-chain\$n=5,ln=14,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    )
    const decomposed = 'pässword '.normalize('NFD')
    expect(await verifyPassword(decomposed, hash)).toBe(true)
    expect(await verifyPassword('pässword', hash)).toBe(false)
  })

  test('of nobody fits nothing', async () => {
    expect(await verifyPassword('', null)).toBe(false)
  })

  test('is hashed by a chain of scrypts, each over the key before it', async () => {
    // By Node: key = 'old', then three times key = scryptSync(key, Buffer.alloc(16), 32, { N: 1024, r: 4, p: 2 })
    const chain =
      '$scrypt-chain$n=3,ln=10,r=4,p=2$AAAAAAAAAAAAAAAAAAAAAA$1t6PJGugcXL534n+XLtlCmv7PMakLmVAuZNGn0cClDY'
    expect(await verifyPassword('old', chain)).toBe(true)
    expect(await verifyPassword('new', chain)).toBe(false)
    expect(await verifyPassword('old', chain.replace('n=3', 'n=2'))).toBe(false)
  })

  test('gives the thread back between its scrypts, be it right, wrong or of nobody', async () => {
    const pauses = vi.spyOn(globalThis, 'setTimeout')
    const count = async (work: () => Promise<unknown>) => {
      pauses.mockClear()
      await work()
      return pauses.mock.calls.length
    }
    const hash = await hashPassword('right')
    expect(await count(() => hashPassword('right'))).toBe(4)
    for (const [password, stored] of [
      ['right', hash],
      ['wrong', hash],
      ['any', null],
    ] as const)
      expect(await count(() => verifyPassword(password, stored))).toBe(4)
    pauses.mockRestore()
  })

  test('whose hash is a single scrypt, as they were, is checked by it and hashed anew', async () => {
    // By Node: scryptSync('old', Buffer.alloc(16), 32, { N: 1024, r: 4, p: 2 })
    const old =
      '$scrypt$ln=10,r=4,p=2$AAAAAAAAAAAAAAAAAAAAAA$qNJ91rkdVwAwVRzvuW4L6GiApeJBCB+rA140s6jQunc'
    expect(await verifyPassword('old', old)).toBe(true)
    expect(await verifyPassword('new', old)).toBe(false)
    expect(await verifyPassword('old', '$scrypt$ln=10,r=4,p=2$AAAAAAAAAAAAAAAAAAAAAA$AAAA')).toBe(
      false,
    )
    const isOld = (scheme: string) => needsRehash(`$${scheme}$AAAA$AAAA`)
    for (const scheme of ['n=4,ln=14,r=8', 'n=5,ln=13,r=8', 'n=5,ln=14,r=7'])
      expect(isOld(`scrypt-chain$${scheme},p=1`)).toBe(true)
    expect(isOld('scrypt$ln=14,r=8,p=5')).toBe(true)
    expect(isOld('scrypt-chain$n=5,ln=14,r=8,p=2')).toBe(true)
    expect(isOld('scrypt-chain$n=5,ln=14,r=8,p=1')).toBe(false)
  })

  test.each([
    '',
    'plain',
    '$scrypt$ln=14,r=8$AAAA$AAAA',
    'x$scrypt$ln=14,r=8,p=5$AAAA$AAAA',
    '$scrypt-chain$ln=14,r=8,p=1$AAAA$AAAA',
    '$scrypt$n=5,ln=14,r=8,p=1$AAAA$AAAA',
  ])('whose hash is %j is a fault of ours', async (stored) => {
    await expect(verifyPassword('any', stored)).rejects.toThrow('not a scrypt PHC string')
  })
})
