/** Files of source code as editors save them, and other files that people mistake for them. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FileNotice } from '../../web/components/forms/file-notice.tsx'
import { readTextFile } from '../../web/lib/files/read-text-file.ts'
import { render, textOf } from './fixtures/rendered.tsx'

const LIMIT_BYTES = 64 * 1024

const read = (bytes: Uint8Array | string) =>
  readTextFile(new File([new Uint8Array(Buffer.from(bytes))], 'main.cpp'), LIMIT_BYTES)

/** UTF-16 in either byte order. */
function utf16(text: string, isBig: boolean): Buffer {
  const bytes = Buffer.from(text, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

describe('a source file', () => {
  it.each([
    [
      'Big5',
      '2f2f20a844b3cca46aa4bda65dbcc6a141bfe9a558b5b2aa470a696e74206d61696e2829207b7d',
      '// 求最大公因數，輸出結果\nint main() {}',
    ],
    ['Big5', 'bfe9a44a', '輸入'],
    [
      'GB 18030',
      '2f2f20c7f3d7eeb4f3b9abd4bccafd0a696e74206d61696e2829207b20707574732822bde1b9fb22293b207d',
      '// 求最大公约数\nint main() { puts("结果"); }',
    ],
    ['GB 18030', 'cae4c8eb', '输入'],
    [
      'Shift JIS',
      '2f2f208dc591e58cf696f1909482f08b8182df82dc82b781420a696e74206d61696e2829207b7d',
      '// 最大公約数を求めます。\nint main() {}',
    ],
    ['Shift JIS', '2f2f208c768e5a', '// 計算'],
    ['Windows-1252', '2f2f20446f6e92742063616c6c206974', '// Don’t call it'],
    ['Windows-1252', '2f2f20636166e9206e61ef7665', '// café naïve'],
  ])('in %s is recognised: %s', async (encoding, hex, text) => {
    expect(await read(Buffer.from(hex, 'hex'))).toEqual({ text, encoding, hadWindowsEnds: false })
  })

  it.each([
    [false, 'UTF-16 LE'],
    [true, 'UTF-16 BE'],
  ])('in UTF-16 is recognised, marked or not (big end first: %s)', async (isBig, encoding) => {
    for (const mark of ['\u{feff}', ''])
      expect(await read(utf16(`${mark}int main() {} // 好\r\n`, isBig))).toEqual({
        text: 'int main() {} // 好\n',
        encoding,
        hadWindowsEnds: true,
      })
  })

  it('in UTF-8 needs no word, and loses its byte order mark', async () => {
    expect(await read('\u{feff}// \u{fffd} 好\n')).toEqual({
      text: '// \u{fffd} 好\n',
      encoding: null,
      hadWindowsEnds: false,
    })
  })

  it('may be as large in UTF-16 as its text may be in UTF-8', async () => {
    const text = 'a'.repeat(LIMIT_BYTES)
    expect(await read(utf16(`\u{feff}${text}`, false))).toMatchObject({ text })
    const tooLarge = { kind: 'tooLarge', limitBytes: LIMIT_BYTES }
    expect(await read(`${text}a`)).toEqual(tooLarge)
    expect(await read('a'.repeat(4 * LIMIT_BYTES))).toEqual(tooLarge)
  })
})

const latin = (text: string) => Buffer.from(text, 'latin1')

describe('what is no source file', () => {
  it.each([
    ['program', 'ELF', readFileSync(process.execPath).subarray(0, 300_000)],
    ['program', 'Windows', latin('MZ\x90\0\x03\0\0\0')],
    ['program', 'Mach-O', latin('\xcf\xfa\xed\xfe\x07\0\0\x01')],
    ['program', 'Mach-O', latin('\xca\xfe\xba\xbe\0\0\0\x02')],
    ['program', 'Java', latin('\xca\xfe\xba\xbe\0\0\0\x41')],
    ['document', 'PDF', latin('%PDF-1.7\n%\xe2\xe3')],
    ['document', 'Office', latin('\xd0\xcf\x11\xe0\xa1\xb1')],
    ['document', 'RTF', latin('{\\rtf1\\ansi int main}')],
    ['archive', 'zip', latin('PK\x03\x04\x14\0\x06\0[Content_Types].xml')],
    ['archive', 'gzip', latin('\x1f\x8b\x08\0')],
    ['image', 'PNG', latin('\x89PNG\r\n\x1a\n\0\0')],
    ['image', 'JPEG', latin('\xff\xd8\xff\xe0')],
    ['bytes', '', latin('a\0b')],
    ['bytes', '', latin('\xff\xfe\0\xd8a\0')],
  ] as const)('is refused as %s %s', async (kind, format, bytes) => {
    expect(await read(bytes)).toEqual({ kind, format })
  })

  it.each(['MZ = 3', 'PK = 4', '%PDF', 'GIF8', '{\\r'])(
    'is no text that only begins alike: %s',
    async (text) => {
      expect(await read(text)).toMatchObject({ text })
    },
  )
})

describe('the notice', () => {
  const notice = async (bytes: Uint8Array | string, namesLineEnds = false) => {
    const file = { name: 'main.cpp', data: await read(bytes), error: null }
    return textOf(render(<FileNotice file={file} namesLineEnds={namesLineEnds} />))
  }

  it('says which encoding was read, and of line ends where they matter', async () => {
    expect(await notice('int main() {}\r\n')).toBe('')
    expect(await notice('int main() {}\r\n', true)).toBe(
      'Windows line ends (CR LF) in main.cpp were converted to LF.',
    )
    expect(await notice(latin('\xbf\xe9\xa4\x4a'), true)).toBe('main.cpp was read as Big5.')
  })

  it('says what a file is instead, and what helps', async () => {
    expect(await notice(latin('\x7fELF\x02'))).toBe(
      "main.cpp is a compiled program (ELF). Open the program's source file instead.",
    )
    expect(await notice('a'.repeat(LIMIT_BYTES + 1))).toBe(
      'main.cpp is larger than 64.0 KiB, the limit for a program.',
    )
    expect(await notice(latin('a\0b'))).toMatch(/^main\.cpp is not a text file\./)
  })
})
