/** Secrets: how they are made, kept and compared. */
import { describe, expect, test } from 'vitest'
import { findDeviceKey, newDeviceKey } from '../../../worker/lib/device-keys.ts'
import { hexIdAt, isSecret, newSecret, sha256Hex, toHex } from '../../../worker/lib/ids.ts'
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
    expect(await isSecret(null, 'present')).toBe(false)
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
    expect(hash).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    const decomposed = 'pässword '.normalize('NFD')
    expect(await verifyPassword(decomposed, hash)).toBe(true)
    expect(await verifyPassword('pässword', hash)).toBe(false)
  })

  test('of nobody fits nothing', async () => {
    expect(await verifyPassword('', null)).toBe(false)
  })

  test('with old parameters is checked by them and hashed anew', async () => {
    // By Node: scryptSync('old', Buffer.alloc(16), 32, { N: 1024, r: 4, p: 2 })
    const old =
      '$scrypt$ln=10,r=4,p=2$AAAAAAAAAAAAAAAAAAAAAA$qNJ91rkdVwAwVRzvuW4L6GiApeJBCB+rA140s6jQunc'
    expect(await verifyPassword('old', old)).toBe(true)
    expect(await verifyPassword('new', old)).toBe(false)
    expect(needsRehash(old)).toBe(true)
    for (const parameters of ['ln=13,r=8,p=5', 'ln=14,r=7,p=5', 'ln=14,r=8,p=4'])
      expect(needsRehash(`$scrypt$${parameters}$AAAA$AAAA`)).toBe(true)
    expect(needsRehash('$scrypt$ln=14,r=8,p=5$AAAA$AAAA')).toBe(false)
  })

  test.each(['', 'plain', '$scrypt$ln=14,r=8$AAAA$AAAA', 'x$scrypt$ln=14,r=8,p=5$AAAA$AAAA'])(
    'whose hash is %j is a fault of ours',
    async (stored) => {
      await expect(verifyPassword('any', stored)).rejects.toThrow('not a scrypt PHC string')
    },
  )
})
