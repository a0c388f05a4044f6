/** A client of the server and its queue. Every answer is parsed by a schema, and every call has a deadline. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import * as z from 'zod'
import {
  type ClaimRequest,
  type Heartbeat,
  heartbeatAnswer,
  type HeartbeatAnswer,
  job,
  type Job,
  type JobRelease,
  type ProgressReport,
  type ResultReport,
  type TestDataRef,
  runnerRegistered,
  type RunnerRegistration,
} from '#contract/judging'
import { type Backoff, backoffMs } from '../lib/backoff.ts'
import { drop, type HttpAnswer, type HttpCall } from './http-call.ts'
import { type Identity, identityOf, type IdentityStore } from './identity.ts'
import { RefusedError, UnreachableError, UnreadableJobError } from './errors.ts'
import { CALL_TIMEOUT_MS, checked, readData, readJson, send } from './json-call.ts'
import { type PulledTicket, pulledTickets } from './tickets.ts'

/** A download ends after this long without a byte, ms. */
const STALL_TIMEOUT_MS = 30_000
const DOWNLOAD_TRIES = 4
const DOWNLOAD_BACKOFF: Backoff = { baseMs: 500, maxMs: 4_000 }
/** How long a pulled ticket is hidden from other runners, ms. The claim that settles it takes well under a second. */
const TICKET_VISIBILITY_MS = 30_000
const LONGEST_HINT_BYTES = 1_024

/** The fields of a job that are needed to hand it back. */
const jobHandle = job.pick({ judgementId: true, lease: true })

/** The job in an answer; null without a job. @throws UnreadableJobError for a job that cannot be judged here */
async function readJob(answer: HttpAnswer): Promise<Job | null> {
  const data = await readData(answer, z.unknown())
  const read = job.nullable().safeParse(data)
  if (read.success) return read.data
  const handle = jobHandle.safeParse(data)
  if (handle.success) throw new UnreadableJobError(handle.data, z.prettifyError(read.error))
  throw new UnreachableError('The answer of the claim cannot be understood', { cause: read.error })
}

/** How to reach the queue's pull API. */
interface QueueSettings {
  /** Address of the queue's `messages` calls, without a slash at the end. */
  messagesUrl: string
  apiToken: string
}

/** The server's address, and the tokens with which this runner calls it. */
export interface ServerSettings {
  /** Without a slash at the end. */
  serverUrl: string
  /** Null: an admin has added the runner, which has a token of its own. */
  registrationToken: string | null
  /** Null: the runner registers. */
  ownToken: string | null
  /** Null: this runner pulls no tickets. */
  queue: QueueSettings | null
}

export class ServerClient {
  private readonly settings: ServerSettings
  private readonly registration: RunnerRegistration
  private readonly identities: IdentityStore
  private readonly downloadBackoff: Backoff
  private identity: Promise<Identity> | null = null

  constructor(
    settings: ServerSettings,
    registration: RunnerRegistration,
    identities: IdentityStore,
    downloadBackoff: Backoff = DOWNLOAD_BACKOFF,
  ) {
    this.downloadBackoff = downloadBackoff
    this.settings = settings
    this.registration = registration
    this.identities = identities
  }

  /** Returns the identity that an admin or an earlier start gave this runner, else registers. */
  register(): Promise<Identity> {
    return this.identity ?? this.remember(this.loadOrRegister())
  }

  /**
   * Claims the next job; null when there is none.
   * @param stop ends the wait for the answer
   * @throws UnreadableJobError for a claimed job that cannot be judged here
   */
  async claim(request: Partial<ClaimRequest> = {}, stop?: AbortSignal): Promise<Job | null> {
    const signal = stop && AbortSignal.any([stop, AbortSignal.timeout(CALL_TIMEOUT_MS)])
    const answer = await this.call('POST', '/runner/jobs/claim', request, signal)
    return answer.status === 204 ? null : readJob(answer)
  }

  /** Begins to open the socket over which the server says that there may be a job. */
  async openWakeSocket(): Promise<WebSocket> {
    const { token } = await this.register()
    return new WebSocket(this.resolve('/runner/live').replace(/^http/, 'ws'), {
      headers: { authorization: `Bearer ${token}`, 'user-agent': this.agent },
      handshakeTimeout: CALL_TIMEOUT_MS,
      maxPayload: LONGEST_HINT_BYTES,
      perMessageDeflate: false,
    })
  }

  async heartbeat(beat: Heartbeat): Promise<HeartbeatAnswer> {
    return readData(await this.call('POST', '/runner/heartbeat', beat), heartbeatAnswer)
  }

  async progress(judgementId: string, report: ProgressReport): Promise<void> {
    drop(await this.call('POST', `/runner/jobs/${judgementId}/progress`, report))
  }

  /**
   * Sends a result.
   * @returns the next job, if the report asks for one
   * @throws UnreadableJobError when the result was stored, but the next job cannot be judged here
   */
  async result(judgementId: string, report: ResultReport): Promise<Job | null> {
    return readJob(await this.call('PUT', `/runner/jobs/${judgementId}/result`, report))
  }

  async release(judgementId: string, release: JobRelease): Promise<void> {
    await readData(
      await this.call('POST', `/runner/jobs/${judgementId}/release`, release),
      z.unknown(),
    )
  }

  /**
   * Streams a zip to disk, and tries again after a failure: a short outage must not use up a job's attempts.
   * @returns the SHA-256 of the bytes, hex
   */
  download = async (ref: TestDataRef, path: string): Promise<string> => {
    for (let failures = 1; ; failures++) {
      try {
        return await this.downloadOnce(ref, path)
      } catch (error) {
        if (!(error instanceof UnreachableError) || failures === DOWNLOAD_TRIES) throw error
        await sleep(backoffMs(failures, this.downloadBackoff))
      }
    }
  }

  /** Downloads once. Checks the bytes against size and hash, if the job names these. */
  private async downloadOnce(ref: TestDataRef, path: string): Promise<string> {
    const stall = new AbortController()
    const timer = setTimeout(() => stall.abort(), STALL_TIMEOUT_MS)
    const hash = createHash('sha256')
    let bytes = 0
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        timer.refresh()
        bytes += chunk.length
        hash.update(chunk)
        done(
          bytes > ref.size ? new UnreachableError('More test data than announced.') : null,
          chunk,
        )
      },
    })
    try {
      const answer = await this.call('GET', ref.url, undefined, stall.signal)
      await pipeline(answer.body, meter, createWriteStream(path, { mode: 0o600 }))
    } catch (error) {
      // A file that cannot be written is this machine's fault; a stream that breaks off is the network's.
      if (error instanceof RefusedError || (error instanceof Error && 'syscall' in error))
        throw error
      throw new UnreachableError('The download broke off', { cause: error })
    } finally {
      clearTimeout(timer)
    }
    const sha256 = hash.digest('hex')
    if (bytes !== ref.size || (ref.sha256 !== null && ref.sha256 !== sha256))
      throw new UnreachableError(`Test data ${ref.version} arrived damaged (${bytes} bytes).`)
    return sha256
  }

  /** Pulls up to `count` tickets from the queue. */
  async pullTickets(count: number): Promise<PulledTicket[]> {
    const answer = await this.callQueue('pull', {
      batch_size: Math.min(100, count),
      visibility_timeout_ms: TICKET_VISIBILITY_MS,
    })
    return readJson(answer, pulledTickets)
  }

  /** Deletes tickets from the queue. */
  async acknowledge(leaseIds: string[]): Promise<void> {
    const acks = leaseIds.map((lease_id) => ({ lease_id }))
    drop(await this.callQueue('ack', { acks, retries: [] }))
  }

  private send(
    call: Omit<Parameters<typeof send>[0], 'agent'>,
    signal?: AbortSignal,
  ): Promise<HttpAnswer> {
    return send({ ...call, agent: this.agent }, signal)
  }

  private get agent(): string {
    return `coursejudge-runner/${this.registration.version}`
  }

  private async callQueue(action: 'pull' | 'ack', body: unknown): Promise<HttpAnswer> {
    const { queue } = this.settings
    if (!queue) throw new Error('This runner was configured without a queue.')
    const url = `${queue.messagesUrl}/${action}`
    return checked(await this.send({ method: 'POST', url, token: queue.apiToken, body }))
  }

  /** Calls the API as this runner. A token that the server no longer knows is replaced once. */
  private async call(
    method: HttpCall['method'],
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<HttpAnswer> {
    const url = this.resolve(path)
    const identity = this.register()
    const answer = await this.send({ method, url, token: (await identity).token, body }, signal)
    if (answer.status !== 401) return checked(answer)
    drop(answer)
    // If several calls find that the token is refused, the first of them registers for all.
    if (this.identity === identity) void this.remember(this.sendRegistration())
    const { token } = await this.register()
    return checked(await this.send({ method, url, token, body }, signal))
  }

  /** Turns an API path into an address below /api. An address that a job names stays as it is, but must be on this server. */
  private resolve(path: string): string {
    const base = `${this.settings.serverUrl}/api`
    if (path.startsWith('/runner/')) return `${base}${path}`
    const url = new URL(path, `${this.settings.serverUrl}/`)
    if (url.origin !== new URL(this.settings.serverUrl).origin)
      throw new RefusedError(400, 'foreign_address', `The job points to ${url.origin}.`)
    return url.href
  }

  private remember(identity: Promise<Identity>): Promise<Identity> {
    this.identity = identity
    identity.catch(() => {
      if (this.identity === identity) this.identity = null
    })
    return identity
  }

  private async loadOrRegister(): Promise<Identity> {
    const { ownToken, serverUrl } = this.settings
    if (ownToken !== null) return identityOf(ownToken)
    return (
      (await this.identities.load(serverUrl, this.registration.name)) ?? this.sendRegistration()
    )
  }

  private async sendRegistration(): Promise<Identity> {
    const { registrationToken, serverUrl } = this.settings
    if (registrationToken === null)
      throw new RefusedError(401, 'bad_token', 'RUNNER_TOKEN is wrong or has been revoked.')
    const url = `${serverUrl}/api/runner/register`
    const answer = await checked(
      await this.send({ method: 'POST', url, token: registrationToken, body: this.registration }),
    )
    const identity = await readData(answer, runnerRegistered)
    await this.identities.save(serverUrl, this.registration.name, identity)
    return identity
  }
}
