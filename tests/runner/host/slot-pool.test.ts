import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Slot } from '../../../runner/sandbox/slot.ts'
import { SlotPool } from '../../../runner/host/slot-pool.ts'
import { eventually } from '../../support/eventually.ts'

let scratch = ''
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'pool-test-'))
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(scratch, { recursive: true })
})

const closed: number[] = []

function fakeSlot(index: number): Slot {
  return {
    openBox: () => Promise.reject(new Error('not needed here')),
    openRefereeBox: () => Promise.reject(new Error('not needed here')),
    close: async () => void closed.push(index),
  }
}

it('slots have directories of their own and are given out once', async () => {
  const pool = await SlotPool.start(2, scratch, async (index) => fakeSlot(index), vi.fn())
  const slots = [pool.take(), pool.take()]
  expect(pool.take()).toBeNull()
  expect([pool.size, pool.free]).toEqual([2, 0])
  const dirs = slots.map((slot) => slot?.scratchDir ?? '')
  expect(new Set(dirs).size).toBe(2)
  for (const dir of dirs) expect((await stat(dir)).mode & 0o777).toBe(0o700)
  if (slots[0]) pool.putBack(slots[0])
  expect(pool.free).toBe(1)
})

it('a slot whose sandbox failed is free again once a new one stands', async () => {
  let failures = 0
  const open = vi.fn(async (index: number) => {
    if (failures-- > 0) throw new Error('no cgroup')
    return fakeSlot(index)
  })
  const log = vi.fn()
  const pool = await SlotPool.start(1, scratch, open, log)
  const slot = pool.take()
  if (!slot) throw new Error('no slot')
  failures = 2
  vi.useFakeTimers()
  const renewed = pool.renew(slot)
  await vi.advanceTimersByTimeAsync(1)
  expect(pool.free).toBe(0)
  await vi.advanceTimersByTimeAsync(10_000)
  await renewed
  expect(pool.free).toBe(1)
  expect(log).toHaveBeenCalledTimes(2)
  expect(log).toHaveBeenCalledWith('slot_lost', { slot: 0, error: 'no cgroup' })
})

it('a sandbox that comes up after the end is closed, and its slot not given out', async () => {
  const late = Promise.withResolvers<Slot>()
  const opened = [Promise.resolve(fakeSlot(1)), late.promise]
  const pool = await SlotPool.start(1, scratch, () => opened.shift() ?? late.promise, vi.fn())
  const slot = pool.take()
  if (!slot) throw new Error('no slot')
  const renewed = pool.renew(slot)
  await eventually(() => expect(opened).toEqual([])) // the slot is being opened
  await pool.close()
  closed.length = 0
  late.resolve(fakeSlot(2))
  await renewed
  expect(closed).toEqual([2])
  expect(pool.take()).toBeNull()
})

it('uses fewer slots while the machine is too busy for all, and one more after each few jobs that end well', async () => {
  const log = vi.fn()
  const pool = await SlotPool.start(4, scratch, async (index) => fakeSlot(index), log)
  const slots = [pool.take(), pool.take(), pool.take()]
  pool.slowDown()
  // Jobs at work go on, and no new one begins.
  expect([pool.free, pool.take()]).toEqual([0, null])
  for (const slot of slots) if (slot) pool.putBack(slot)
  expect([pool.size, pool.free]).toEqual([4, 2])
  pool.slowDown()
  pool.slowDown()
  expect(pool.free).toBe(1)
  const free: number[] = []
  for (let job = 0; job < 30; job++) {
    pool.speedUp()
    free.push(pool.free)
  }
  expect(new Set(free)).toEqual(new Set([1, 2, 3, 4]))
  expect(free).toEqual(free.toSorted())
  expect(free.at(-1)).toBe(4)
  expect(log).toHaveBeenCalledWith('fewer_slots', { used: 1, slots: 4 })
})

/** Slots in use, free slots, and slots beyond the allowed number. */
const figures = ({ size, free, excess }: SlotPool) => ({ size, free, excess })

it('who waits for a slot gets it in turn, before it is free for others', async () => {
  const pool = await SlotPool.start(1, scratch, async (index) => fakeSlot(index), vi.fn())
  const slot = pool.take()
  if (!slot) throw new Error('no slot')
  const got: string[] = []
  const waiting = ['first', 'second'].map((who) => pool.takeNext().then(() => got.push(who)))
  pool.putBack(slot)
  await waiting[0]
  expect(got).toEqual(['first'])
  expect(pool.free).toBe(0)
  pool.putBack(slot)
  await Promise.all(waiting)
  expect(got).toEqual(['first', 'second'])
  pool.putBack(slot)
  expect(pool.free).toBe(1)
})

it('five jobs in a row give one more slot, and a failure in between begins anew', async () => {
  const pool = await SlotPool.start(4, scratch, async (index) => fakeSlot(index), vi.fn())
  const judge = (jobs: number) => {
    for (let job = 0; job < jobs; job += 1) pool.speedUp()
  }
  for (let taken = 0; taken < 3; taken += 1) pool.take()
  pool.slowDown()
  expect(figures(pool)).toEqual({ size: 4, free: 0, excess: 1 })
  pool.slowDown()
  expect(pool.excess).toBe(2)
  judge(4)
  pool.slowDown()
  judge(4)
  expect(pool.excess).toBe(2)
  judge(1)
  expect(pool.excess).toBe(1)
  judge(4)
  expect(pool.excess).toBe(1)
})

it('nothing of an earlier process is left in the directory of a slot; in the end all slots are closed', async () => {
  await mkdir(join(scratch, 'slot-1'))
  await writeFile(join(scratch, 'slot-1/output'), 'old')
  const pool = await SlotPool.start(2, scratch, async (index) => fakeSlot(index), vi.fn())
  expect(await readdir(join(scratch, 'slot-1'))).toEqual([])
  pool.take()
  closed.length = 0
  await pool.close()
  await pool.close()
  expect(closed).toEqual([0, 1])
  expect(pool.take()).toBeNull()
})
