/** Zips are written as streams. */
import { expect, test, vi } from 'vitest'
import { streamOf } from '../../../worker/http/download.ts'
import { writeZip, type NewFile } from '../../../worker/lib/zip-writer.ts'
import { filesOf } from '../support/archive.ts'

async function* listed(...files: NewFile[]): AsyncGenerator<NewFile> {
  yield* files
}

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

async function bytesOf(files: AsyncIterable<NewFile>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of writeZip(files)) parts.push(part)
  return Buffer.concat(parts)
}

test('texts, bytes and streams come back under their names', async () => {
  const zip = await bytesOf(
    listed(
      { name: '王小明/程式 ü.txt', content: '程式\n' },
      { name: 'empty', content: '' },
      { name: 'bytes', content: Buffer.from('bytes') },
      { name: 'stream', content: chunks('one ', 'two') },
      { name: 'nothing', content: chunks() },
    ),
  )
  expect(await filesOf(zip)).toEqual({
    '王小明/程式 ü.txt': '程式\n',
    empty: '',
    bytes: 'bytes',
    stream: 'one two',
    nothing: '',
  })
  expect(await filesOf(await bytesOf(listed()))).toEqual({})
})

test('when the reader goes away, no further file is asked for, and open streams end', async () => {
  let asked = 0
  const ended: string[] = []
  const open = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(100_000)),
    cancel: () => void ended.push('stream'),
  })
  async function* files(): AsyncGenerator<NewFile> {
    try {
      for (;;) {
        asked += 1
        yield { name: `${asked}`, content: open }
      }
    } finally {
      ended.push('files')
    }
  }
  const told = vi.spyOn(console, 'error').mockReturnValue()
  const reader = streamOf(writeZip(files())).getReader()
  await reader.read()
  await reader.cancel()
  expect({ asked, ended }).toEqual({ asked: 1, ended: ['stream', 'files'] })
  expect(told).not.toHaveBeenCalled()
  told.mockRestore()
})

test('a fault half way breaks the download off', async () => {
  const told = vi.spyOn(console, 'error').mockReturnValue()
  async function* broken(): AsyncGenerator<NewFile> {
    yield { name: 'a', content: 'a' }
    throw new Error('no')
  }
  await expect(new Response(streamOf(writeZip(broken()))).text()).rejects.toThrow('no')
  expect(told.mock.calls.flat().join('')).toContain('cut off')
  told.mockRestore()
})
