/** Codes of courses and invitations: their texts and their hashes. */
import { JOIN_CODE_CHARACTERS, joinCodeKey } from '#contract/joining'
import { sha256Hex } from '../../lib/ids.ts'

/** Bytes from here on would make some characters likelier than others. */
const FAIR_BYTES = 256 - (256 % JOIN_CODE_CHARACTERS.length)

/** A new code. @param length how many characters it has */
export function newCode(length: number): string {
  let code = ''
  while (code.length < length) {
    const fair = crypto.getRandomValues(new Uint8Array(length)).filter((byte) => byte < FAIR_BYTES)
    for (const byte of fair) code += JOIN_CODE_CHARACTERS[byte % JOIN_CODE_CHARACTERS.length]
  }
  return code.slice(0, length)
}

/** The stored form of a code, however somebody has typed it. */
export function codeHashOf(typed: string): Promise<string> {
  return sha256Hex(joinCodeKey(typed))
}
