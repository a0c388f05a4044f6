import { describe, expect, test } from 'vitest'
import { courseName, email, username } from '#contract/fields'
import { scoreboardParams } from '#contract/problems/stats'
import { checkTestData } from '#contract/problems/test-data'

const FILE = { isDirectory: false, isSymlink: false, isEncrypted: false, compressionMethod: 0 }
const ENTRY = { ...FILE, sizeBytes: 0, packedBytes: 0, offset: 0 }

/**
 * The least CPU time of some work in five tries, in ms, exact to a few ms. The first try also warms it up.
 * Other programs may delay the work, but they add no CPU time to it.
 */
function leastCpuMs(work: () => unknown): number {
  const tries = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...tries)
}

describe('long input', () => {
  test.each([
    ['a course name of spaces', () => courseName.safeParse(`a${' '.repeat(50_000)}!`)],
    ['a course name of words', () => courseName.safeParse(`${'a '.repeat(25_000)}!`)],
    ['a username', () => username.safeParse(`${'a'.repeat(50_000)}!`)],
    ['a list of problems', () => scoreboardParams.safeParse({ pids: '1,'.repeat(25_000) })],
    ['an e-mail', () => email.safeParse(`${'a.'.repeat(25_000)}@`)],
    ['a zip entry', () => checkTestData([{ ...ENTRY, name: `${'0'.repeat(50_000)}.in` }])],
  ])('%s of fifty thousand characters is judged at once [IV5]', (_title, run) => {
    expect(leastCpuMs(run)).toBeLessThanOrEqual(50)
  })
})
