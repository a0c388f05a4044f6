/** The slots of this runner: tells which are free, limits how many are used, and replaces one whose sandbox failed. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Backoff, backoffMs } from '../lib/backoff.ts'
import { describeError, type Log } from '../lib/log.ts'
import type { Slot } from '../sandbox/slot.ts'

const REOPEN_BACKOFF: Backoff = { baseMs: 1_000, maxMs: 60_000 }
/** After failures fewer slots are used. One more slot is used again each time this many jobs in a row were judged. */
const STEADY_JOBS = 5

/** A slot with its number in the pool and a directory of its own. */
export interface PoolSlot extends Slot {
  index: number
  scratchDir: string
}

/** Opens the sandbox of the slot with this number. */
type OpenSlot = (index: number) => Promise<Slot>

export class SlotPool {
  /** All slots, by number. */
  private readonly slots: PoolSlot[]
  private readonly open: OpenSlot
  private readonly log: Log
  private readonly idle: PoolSlot[]
  /** Callers that wait for the next slot that becomes free, in order. */
  private readonly waiting: ((slot: PoolSlot) => void)[] = []
  /** How many slots may be busy at once: fewer than there are while the machine keeps failing. */
  private used: number
  private steadyJobs = 0
  private closed = false

  private constructor(slots: PoolSlot[], open: OpenSlot, log: Log) {
    this.slots = slots
    this.open = open
    this.log = log
    this.idle = [...slots]
    this.used = slots.length
  }

  /** Opens `count` slots, each with a directory below `scratchDir`. */
  static async start(
    count: number,
    scratchDir: string,
    open: OpenSlot,
    log: Log,
  ): Promise<SlotPool> {
    const slots: PoolSlot[] = []
    for (let index = 0; index < count; index++) {
      const own = join(scratchDir, `slot-${index}`)
      // Left by a process that was killed.
      await rm(own, { recursive: true, force: true })
      await mkdir(own, { recursive: true, mode: 0o700 })
      slots.push({ ...(await open(index)), index, scratchDir: own })
    }
    return new SlotPool(slots, open, log)
  }

  get size(): number {
    return this.slots.length
  }

  /** Number of slots that may be taken now. */
  get free(): number {
    const taken = this.slots.length - this.idle.length
    return Math.max(0, Math.min(this.idle.length, this.used - taken))
  }

  /** By how many the taken slots exceed the number that may be used now. */
  get excess(): number {
    return Math.max(0, this.slots.length - this.idle.length - this.used)
  }

  /** A free slot, or null. */
  take(): PoolSlot | null {
    return this.free > 0 ? (this.idle.shift() ?? null) : null
  }

  /** Waits for the next slot that becomes free; `take` does not get that one. */
  takeNext(): Promise<PoolSlot> {
    const { promise, resolve } = Promise.withResolvers<PoolSlot>()
    this.waiting.push(resolve)
    return promise
  }

  /** Halves the number of used slots, but leaves at least one. Call this when the machine could not judge. */
  slowDown(): void {
    this.steadyJobs = 0
    const used = Math.max(1, Math.floor(this.used / 2))
    if (used < this.used) this.log('fewer_slots', { used, slots: this.slots.length })
    this.used = used
  }

  /** Counts a judged job. After several judged jobs in a row, one more slot is used. */
  speedUp(): void {
    if (this.used === this.slots.length || ++this.steadyJobs < STEADY_JOBS) return
    this.steadyJobs = 0
    this.used++
    this.log('more_slots', { used: this.used, slots: this.slots.length })
  }

  putBack(slot: PoolSlot): void {
    const next = this.waiting.shift()
    if (next) next(slot)
    else this.idle.push(slot)
  }

  /** Replaces a slot whose sandbox failed. The new one is free as soon as it is open. */
  async renew(failed: PoolSlot): Promise<void> {
    const { index, scratchDir } = failed
    await closeQuietly(failed)
    for (let failures = 1; !this.closed; failures++) {
      try {
        const slot = { ...(await this.open(index)), index, scratchDir }
        this.slots[index] = slot
        if (this.closed) await closeQuietly(slot)
        else this.putBack(slot)
        return
      } catch (error) {
        this.log('slot_lost', { slot: index, error: describeError(error) })
        const { promise, resolve } = Promise.withResolvers<void>()
        setTimeout(resolve, backoffMs(failures, REOPEN_BACKOFF)).unref()
        await promise
      }
    }
  }

  /** Closes every slot, killing what runs in it. */
  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    this.idle.length = 0
    await Promise.all(this.slots.map(closeQuietly))
  }
}

/** Closes a slot and ignores errors: a slot that cannot be closed is lost in any case. */
async function closeQuietly(slot: Slot): Promise<void> {
  await slot.close().catch(() => {})
}
