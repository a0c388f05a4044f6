/** Delivers results that wait in the outbox, again and again until they are settled. */
import { Alarm } from '../lib/alarm.ts'
import { type Backoff, backoffMs } from '../lib/backoff.ts'
import type { ResultOutbox } from './outbox.ts'

/** The pause between passes while results stay undelivered. */
const BACKOFF: Backoff = { baseMs: 1_000, maxMs: 60_000 }
/** The pause between passes otherwise, ms. If a result cannot be delivered at once, `ring()` ends this pause early. */
const LONG_WAIT_MS = 60_000

export class ResultLoop {
  private readonly outbox: Pick<ResultOutbox, 'flush'>
  private readonly alarm = new Alarm()
  private stopped = false

  constructor(outbox: Pick<ResultOutbox, 'flush'>) {
    this.outbox = outbox
  }

  /** Runs until stopped. */
  async run(): Promise<void> {
    for (let failures = 0; !this.stopped;) {
      failures = (await this.outbox.flush()) ? 0 : failures + 1
      const pauseMs = failures > 0 ? backoffMs(failures, BACKOFF) : LONG_WAIT_MS
      if (!this.stopped) await this.alarm.wait(pauseMs)
    }
  }

  /** Starts the next pass at once, because a result waits. */
  ring(): void {
    this.alarm.ring()
  }

  stop(): void {
    this.stopped = true
    this.alarm.ring()
  }
}
