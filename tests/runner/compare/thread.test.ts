import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterEach, expect, it } from 'vitest'
import { filesMatch } from '../../../runner/compare/thread.ts'
import { openUnnamedFile } from '../../../runner/lib/unnamed-file.ts'

const opened: FileHandle[] = []
afterEach(async () => {
  for (const file of opened.splice(0)) await file.close()
})

/** An open file with this content, repeated `times` times. */
async function fileOf(content: string, times = 1): Promise<FileHandle> {
  const file = await openUnnamedFile(tmpdir())
  opened.push(file)
  await file.write(Buffer.alloc(content.length * times, content))
  return file
}

const LINES = { mode: 'lines' } as const
const LARGE = 31_000_000

it.each([
  ['blanks', ' \t'],
  ['blank lines', ' \n'],
])('62 MB of %s behind the answer are compared on another thread', async (_what, unit) => {
  const output = await fileOf(unit, LARGE)
  await output.write('3\n', 0)
  const expected = await fileOf('3\n')
  // Once in advance, so that the start of the thread does not count.
  await filesMatch(LINES, output, expected)
  const [all, own] = [process.cpuUsage(), process.threadCpuUsage()]
  expect(await filesMatch(LINES, output, expected)).toBe(true)
  const [allUsed, ownUsed] = [process.cpuUsage(all), process.threadCpuUsage(own)]
  expect(ownUsed.user).toBeLessThan(allUsed.user / 4)
})

it.each([
  ['lines', { mode: 'lines' }, false],
  ['tokens', { mode: 'tokens' }, false],
  ['float', { mode: 'float', absolute: 1 }, true],
  ['exact', { mode: 'exact' }, false],
] as const)('%s decides on large files as on small ones', async (_mode, comparison, alike) => {
  const [ones, twos] = [await fileOf('1 ', 600_000), await fileOf('2 ', 600_000)]
  const answers = await Promise.all([
    filesMatch(comparison, ones, ones),
    filesMatch(comparison, ones, twos),
    filesMatch(comparison, await fileOf('1 '), await fileOf('2 ')),
  ])
  expect(answers).toEqual([true, alike, alike])
})

it('a file that cannot be read is an error, and the next pair is compared', async () => {
  const output = await fileOf('1 ', 600_000)
  const directory = await open('/proc/self/fd')
  opened.push(directory)
  await expect(filesMatch(LINES, output, directory)).rejects.toThrow('EISDIR')
  expect(await filesMatch(LINES, output, output)).toBe(true)
})
