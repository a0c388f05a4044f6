/** The judging slots of this machine: which are free, how many are used, and what happens to one whose sandbox failed. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Backoff, backoffMs } from '../lib/backoff.ts'
import { describeError, type Log } from '../lib/log.ts'
import type { Slot } from '../sandbox/index.ts'

const REOPEN: Backoff = { baseMs: 1_000, maxMs: 60_000 }
/** Jobs that end well in a row before one slot more is used again. */
const STEADY_JOBS = 5

/** A slot with its place: its number and a directory of its own. */
export interface Seat {
  index: number
  slot: Slot
  scratchDir: string
}

export class SlotPool {
  private readonly seats: Seat[]
  private readonly open: (index: number) => Promise<Slot>
  private readonly log: Log
  private readonly idle: Seat[]
  /** How many slots are used at the same time: fewer than there are while the machine is too busy for all. */
  private used: number
  private steady = 0
  private closed = false

  private constructor(seats: Seat[], open: (index: number) => Promise<Slot>, log: Log) {
    this.seats = seats
    this.open = open
    this.log = log
    this.idle = [...seats]
    this.used = seats.length
  }

  /** Opens `count` slots; `open` starts the sandbox of one. */
  static async start(
    count: number,
    scratchDir: string,
    open: (index: number) => Promise<Slot>,
    log: Log,
  ): Promise<SlotPool> {
    const seats: Seat[] = []
    for (let index = 0; index < count; index++) {
      const own = join(scratchDir, `slot-${index}`)
      await mkdir(own, { recursive: true, mode: 0o700 })
      seats.push({ index, slot: await open(index), scratchDir: own })
    }
    return new SlotPool(seats, open, log)
  }

  get size(): number {
    return this.seats.length
  }

  /** Slots that may be taken now. */
  get free(): number {
    const taken = this.seats.length - this.idle.length
    return Math.max(0, Math.min(this.idle.length, this.used - taken))
  }

  /** A free seat, or null. */
  take(): Seat | null {
    return this.free > 0 ? (this.idle.shift() ?? null) : null
  }

  /** The machine could not judge: half as many slots are used from now on, one at least. */
  slowDown(): void {
    this.steady = 0
    const used = Math.max(1, Math.floor(this.used / 2))
    if (used < this.used) this.log('fewer_slots', { used, slots: this.seats.length })
    this.used = used
  }

  /** A job was judged: after some in a row, one slot more is used. */
  speedUp(): void {
    if (this.used === this.seats.length || ++this.steady < STEADY_JOBS) return
    this.steady = 0
    this.used++
    this.log('more_slots', { used: this.used, slots: this.seats.length })
  }

  putBack(seat: Seat): void {
    this.idle.push(seat)
  }

  /** Replaces the sandbox of a seat that failed; the seat is free again once a new one stands. */
  async renew(seat: Seat): Promise<void> {
    await closeQuietly(seat.slot)
    for (let failures = 1; !this.closed; failures++) {
      try {
        seat.slot = await this.open(seat.index)
        if (this.closed) await closeQuietly(seat.slot)
        else this.putBack(seat)
        return
      } catch (error) {
        this.log('slot_lost', { slot: seat.index, error: describeError(error) })
        const { promise, resolve } = Promise.withResolvers<void>()
        setTimeout(resolve, backoffMs(failures, REOPEN)).unref()
        await promise
      }
    }
  }

  /** Closes every slot, killing what runs in it. */
  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    this.idle.length = 0
    await Promise.all(this.seats.map(({ slot }) => closeQuietly(slot)))
  }
}

/** A slot that cannot even be closed is gone anyway. */
async function closeQuietly(slot: Slot): Promise<void> {
  await slot.close().catch(() => {})
}
