/** The ways in which a program can end, and how each limit stops it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { runProgram } from '../fixtures/sandbox.ts'

let slot: Slot
beforeAll(async () => {
  slot = await openSlot({ index: 0 })
})
afterAll(() => slot.close())

describe('a program that ends by itself', () => {
  test('ends with exit code 0 and its output in the file', async () => {
    const result = await runProgram(slot, 'exit-0.c')
    expect(result).toMatchObject({ fired: null, exitCode: 0, signal: null, oomKilled: false })
    expect(result.stdout.toString()).toBe('hello\n')
    expect(result.outputBytes).toBe(6)
  })

  test('ends with its own exit code', async () => {
    expect(await runProgram(slot, 'exit-3.c')).toMatchObject({ exitCode: 3, signal: null })
  })

  test('ends with the signal of a bad access', async () => {
    const result = await runProgram(slot, 'segfault.c')
    expect(result).toMatchObject({ fired: null, exitCode: null, signal: 11 })
  })

  test('ends with the signal of abort', async () => {
    const result = await runProgram(slot, 'abort.c')
    expect(result).toMatchObject({ fired: null, exitCode: null, signal: 6 })
  })

  test('is charged for the memory that it touches', async () => {
    const result = await runProgram(slot, 'touch-40-mb.c')
    expect(result.memoryKb).toBeGreaterThanOrEqual(40 * 1024)
    expect(result.memoryKb).toBeLessThan(42 * 1024)
  })
})

describe('the limit that fires', () => {
  // accuracy.long.test.ts measures how soon the limit stops it.
  test('is cpu for an endless loop', async () => {
    const result = await runProgram(slot, 'spin.c', { limits: { cpuMs: 200 } })
    expect(result).toMatchObject({ fired: 'cpu', signal: 9 })
    expect(result.cpuMs).toBeGreaterThanOrEqual(200)
    expect(result.cpuMs).toBeLessThan(1_000)
  })

  test('is cpu for children that burn it while the parent sleeps', async () => {
    const result = await runProgram(slot, 'spin-threads.c', { limits: { cpuMs: 200 } })
    expect(result.fired).toBe('cpu')
  })

  test('is wall for a program that sleeps, with its small CPU time', async () => {
    const result = await runProgram(slot, 'sleep.c', { limits: { wallMs: 200 } })
    expect(result.fired).toBe('wall')
    expect(result.cpuMs).toBeLessThan(200)
  })

  test('is memory for a program that touches more than it may', async () => {
    const result = await runProgram(slot, 'touch-memory.c')
    expect(result).toMatchObject({ fired: 'memory', oomKilled: true, signal: 9 })
    expect(result.memoryKb).toBeLessThanOrEqual(64 * 1024)
  })

  test('is output for a flood, and the file ends exactly at the limit', async () => {
    const result = await runProgram(slot, 'flood.c', { limits: { outputBytes: 100_000 } })
    expect(result).toMatchObject({ fired: 'output', outputBytes: 100_000 })
    expect(result.stdout.length).toBe(100_000)
  })

  test('is none for output of exactly the limit and output for one byte more', async () => {
    const limits = { outputBytes: 5_000 }
    const exact = await runProgram(slot, 'write-bytes.c', { stdin: '5000', limits })
    expect(exact).toMatchObject({ fired: null, exitCode: 0, outputBytes: 5_000 })
    const over = await runProgram(slot, 'write-bytes.c', { stdin: '5001', limits })
    expect(over).toMatchObject({ fired: 'output', outputBytes: 5_000 })
  })
})

describe('what a program may have', () => {
  test('is so many processes and no more', async () => {
    const result = await runProgram(slot, 'count-forks.c', { limits: { pids: 8 } })
    expect(result.stdout.toString()).toBe('7\n')
  })
})
