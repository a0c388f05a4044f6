/**
 * Results on their way to the server. Each result is on disk before it is posted, and is deleted once the server has
 * stored or refused it. So neither a dead network nor a killed runner loses a result.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cutText } from '#contract/cut-text'
import { hexId } from '#contract/fields'
import { REASON_LENGTH } from '#contract/limits'
import { resultReport, type ClaimRequest, type Job, type ResultReport } from '#contract/judging'
import { describeError, type Log } from '../lib/log.ts'
import type { ServerClient } from './client.ts'
import { RefusedError, UnreadableJobError } from './errors.ts'

/** A result older than this is dropped, ms: others have judged the job long ago. */
const GIVE_UP_MS = 24 * 3_600_000
/** A proxy that refuses a result for longer than this objects to its content, ms. */
const PROXY_PATIENCE_MS = 10 * 60_000

type ResultCalls = Pick<ServerClient, 'result' | 'release'>

/** The next job, for which a result may ask. */
interface NextJob {
  /**
   * The request for a job to send with a result; undefined: none.
   * @param isRepeated whether the result has asked before; the lost answer may have held a job
   */
  ask: (isRepeated: boolean) => ClaimRequest | undefined
  /** Takes the answer to the request for a job; undefined: no answer came. */
  take: (answer: Job | UnreadableJobError | null | undefined) => void
}

export class ResultOutbox {
  private readonly directory: string
  private readonly server: ResultCalls
  private readonly log: Log
  private readonly kept = new Set<string>()
  /** Judgement → its latest delivery that is under way. */
  private readonly deliveries = new Map<string, Promise<void>>()
  private flushing: Promise<boolean> | null = null
  private stopped = false
  /** Judgements whose results have asked for the next job and heard no answer. */
  private readonly unanswered = new Set<string>()
  /** Called when the server has stored a result. */
  onStored: (judgementId: string) => void = () => {}
  next: NextJob = { ask: () => undefined, take: () => {} }

  private constructor(directory: string, server: ResultCalls, log: Log) {
    this.directory = directory
    this.server = server
    this.log = log
  }

  /** Opens the outbox with the undelivered results of an earlier process. `flush` delivers them. */
  static async open(directory: string, server: ResultCalls, log: Log): Promise<ResultOutbox> {
    const outbox = new ResultOutbox(directory, server, log)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    for (const name of await readdir(directory)) {
      const id = hexId.safeParse(name.replace(/\.json$/, ''))
      if (name.endsWith('.json') && id.success) outbox.kept.add(id.data)
      else await rm(join(directory, name), { force: true })
    }
    return outbox
  }

  /** Judgements whose results wait. Heartbeats keep their leases. */
  get waiting(): string[] {
    return [...this.kept]
  }

  /** Whether an unheard answer to a result may have held a job that this runner does not know. */
  get mayHoldJobs(): boolean {
    return this.unanswered.size > 0
  }

  /**
   * Stores a result and tries to deliver it once.
   * @returns whether the server has stored or refused the result; otherwise it waits for a flush
   */
  post(judgementId: string, report: ResultReport): Promise<boolean> {
    return this.deliverInOrder(judgementId, async () => {
      try {
        await this.store(judgementId, report)
      } catch (error) {
        // The result is sent even if the disk is full.
        this.log('result_not_kept', { judgementId, error: describeError(error) })
      }
      await this.deliver(judgementId, report)
    })
  }

  /** Ends a flush after its present result. The next start delivers the rest. */
  stop(): void {
    this.stopped = true
  }

  /**
   * Tries every waiting result once, except those that are being posted. Overlapping calls share one pass.
   * @returns whether all results that it tried are settled
   */
  flush(): Promise<boolean> {
    this.flushing ??= this.flushAll().finally(() => {
      this.flushing = null
    })
    return this.flushing
  }

  private async flushAll(): Promise<boolean> {
    let settled = true
    for (const id of this.waiting) {
      if (this.stopped) break
      if (this.deliveries.has(id)) continue
      if (!(await this.deliverInOrder(id, () => this.deliverKept(id)))) settled = false
    }
    return settled
  }

  private async deliverKept(id: string): Promise<void> {
    const report = await this.load(id)
    if (report) await this.deliver(id, report)
    // An old result is tried once more before it is dropped, because its age is wrong if the clock was changed.
    if (this.kept.has(id) && (!report || (await this.isOlder(id, GIVE_UP_MS))))
      await this.forget(id, 'result_expired')
  }

  /**
   * Runs the deliveries of a judgement one after the other, so that the answer to an old result deletes no newer result.
   * `work` does not throw.
   * @returns whether no result of the judgement is left waiting
   */
  private async deliverInOrder(id: string, work: () => Promise<void>): Promise<boolean> {
    const turn = (this.deliveries.get(id) ?? Promise.resolve()).then(work)
    this.deliveries.set(id, turn)
    await turn.finally(() => {
      if (this.deliveries.get(id) === turn) this.deliveries.delete(id)
    })
    return !this.kept.has(id)
  }

  private async deliver(id: string, report: ResultReport): Promise<void> {
    try {
      await this.send(id, report)
      this.onStored(id)
      await this.forget(id, 'result_stored')
    } catch (error) {
      if (error instanceof RefusedError && error.status === 409 && error.isFromServer)
        await this.forget(id, 'result_stale', error)
      else if (error instanceof RefusedError && (await this.isFinal(id, error)))
        await this.handBack(id, report, error)
      else this.log('result_waits', { judgementId: id, error: describeError(error) })
    }
  }

  /** Whether a result will never be accepted. After a 401 (this runner's token) or a proxy's refusal it may still be accepted later. */
  private async isFinal(id: string, { status, isFromServer }: RefusedError): Promise<boolean> {
    if (status === 413) return true
    return isFromServer ? status !== 401 : this.isOlder(id, PROXY_PATIENCE_MS)
  }

  /**
   * Hands back a job whose result will never be accepted, with the reason: its attempts count, so it ends as a Judge
   * Error that staff see. If that call does not reach the server, the result goes on waiting.
   */
  private async handBack(
    id: string,
    { lease }: ResultReport,
    refusal: RefusedError,
  ): Promise<void> {
    const reason = `The server refuses the result: ${refusal.status} ${refusal.message}`
    try {
      await this.server.release(id, {
        lease,
        drained: false,
        fault: 'job',
        reason: cutText(reason, REASON_LENGTH),
      })
    } catch (error) {
      this.log('release_failed', { judgementId: id, error: describeError(error) })
      if (!(error instanceof RefusedError && error.isFromServer)) return
    }
    await this.forget(id, 'result_refused', refusal)
  }

  /** Sends a result, with its request for a job. Omits the outputs if they may be why it was refused (size, or a proxy's filter). */
  private async send(id: string, report: ResultReport): Promise<void> {
    const next = this.next.ask(this.unanswered.has(id))
    if (next) this.unanswered.add(id)
    let answer: Job | UnreadableJobError | null | undefined
    try {
      answer = await this.sendLighter(id, { ...report, next })
    } catch (error) {
      // The server has stored the result.
      if (!(error instanceof UnreadableJobError)) throw error
      answer = error
    } finally {
      if (next) this.next.take(answer)
    }
  }

  private async sendLighter(id: string, report: ResultReport): Promise<Job | null> {
    try {
      return await this.server.result(id, report)
    } catch (error) {
      const mayBeTheOutputs =
        error instanceof RefusedError && (error.status === 413 || !error.isFromServer)
      if (!mayBeTheOutputs || report.outputs.length === 0) throw error
      return this.server.result(id, { ...report, outputs: [] })
    }
  }

  private async store(id: string, report: ResultReport): Promise<void> {
    const path = this.path(id)
    // The file is not synced: a power cut costs a second judging, but a sync would cost every verdict a disk write.
    try {
      await writeFile(`${path}.new`, JSON.stringify(report), { mode: 0o600 })
      await rename(`${path}.new`, path)
    } catch (error) {
      // The disk may be full: no incomplete result may stay.
      await rm(`${path}.new`, { force: true })
      throw error
    }
    this.kept.add(id)
  }

  private async isOlder(id: string, ms: number): Promise<boolean> {
    const info = await stat(this.path(id)).catch(() => null)
    return info !== null && Date.now() - info.mtimeMs > ms
  }

  /** Loads a stored result; null when it is unreadable. */
  private async load(id: string): Promise<ResultReport | null> {
    try {
      return resultReport.parse(JSON.parse(await readFile(this.path(id), 'utf8')))
    } catch {
      return null
    }
  }

  private async forget(id: string, event: string, error?: RefusedError): Promise<void> {
    // If it cannot be deleted, the next start sends it once more, which changes nothing.
    await rm(this.path(id), { force: true }).catch(() => {})
    this.kept.delete(id)
    this.unanswered.delete(id)
    this.log(event, { judgementId: id, error: error && `${error.status} ${error.message}` })
  }

  private path(id: string): string {
    return join(this.directory, `${id}.json`)
  }
}
