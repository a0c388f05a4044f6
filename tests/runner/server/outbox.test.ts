import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { jobRelease, type Job, type JobRelease, type ResultReport } from '#contract/judging'
import { REASON_LENGTH } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { ResultOutbox } from '../../../runner/server/outbox.ts'
import {
  NOT_FROM_SERVER,
  RefusedError,
  UnreachableError,
  UnreadableJobError,
} from '../../../runner/server/errors.ts'
import { eventually } from '../../support/eventually.ts'
import { JudgeServer } from '../fixtures/judge-server.ts'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'outbox-test-'))
})
afterEach(() => rm(root, { recursive: true }))

const report: ResultReport = {
  lease: 'lease',
  status: STATUS.CE,
  score: 0,
  runTime: null,
  memoryUsage: null,
  tasks: [],
  compileMessage: 'no',
  reason: null,
  outputs: [],
}
const IDS = [1, 2, 3].map((n) => String(n).padStart(24, '0'))
const [ID = ''] = IDS

/** An outbox whose server answers with these errors in turn, and then accepts everything. */
async function outboxOver(...errors: Error[]) {
  const sent: string[] = []
  const released: unknown[] = []
  const events: string[] = []
  const server = {
    async result(id: string) {
      sent.push(id)
      const error = errors.shift()
      if (error) throw error
      return null
    },
    async release(id: string, release: JobRelease) {
      released.push({ id, ...release })
    },
  }
  const outbox = await ResultOutbox.open(root, server, (event) => events.push(event))
  const stored: string[] = []
  outbox.onStored = (id) => stored.push(id)
  return { outbox, sent, released, events, stored, server }
}

/** Makes a kept result this many minutes old. */
async function age(id: string, minutes: number): Promise<void> {
  const then = new Date(Date.now() - minutes * 60_000)
  await utimes(join(root, `${id}.json`), then, then)
}

const DOWN = new UnreachableError('down')

/** A server that answers a result only when the test does. */
async function slowServer() {
  const unanswered: { lease: string; answer: PromiseWithResolvers<void> }[] = []
  const server = {
    async result(_id: string, { lease }: ResultReport) {
      const answer = Promise.withResolvers<void>()
      unanswered.push({ lease, answer })
      await answer.promise
      return null
    },
    async release() {},
  }
  const outbox = await ResultOutbox.open(root, server, () => {})
  return { outbox, unanswered }
}

it('a pass leaves alone what is being sent; the next one sends it if that failed', async () => {
  const { outbox, unanswered } = await slowServer()
  const post = outbox.post(ID, report)
  await eventually(() => expect(unanswered).toHaveLength(1))
  expect(await outbox.flush()).toBe(true)
  expect(unanswered).toHaveLength(1)
  unanswered[0]?.answer.reject(DOWN)
  expect(await post).toBe(false)
  const pass = outbox.flush()
  await eventually(() => expect(unanswered).toHaveLength(2))
  unanswered[1]?.answer.resolve()
  expect(await pass).toBe(true)
  expect(outbox.waiting).toEqual([])
})

it('the refusal of an old result does not take a newer one of the same judgement with it', async () => {
  const { outbox, unanswered } = await slowServer()
  const seen = (lease: string) =>
    eventually(() => unanswered.find((sent) => sent.lease === lease)?.answer ?? expect.fail())
  const old = outbox.post(ID, { ...report, lease: 'old' })
  const oldAnswer = await seen('old')
  const newer = outbox.post(ID, { ...report, lease: 'new' })
  // When this later result is under way, the newer one would be, too, if it did not wait.
  const later = outbox.post(IDS[1] ?? '', { ...report, lease: 'later' })
  const laterAnswer = await seen('later')
  oldAnswer.reject(new RefusedError(409, 'stale_lease', 'stale'))
  await old
  const newAnswer = await seen('new')
  newAnswer.reject(DOWN)
  laterAnswer.resolve()
  await Promise.all([newer, later])
  expect(outbox.waiting).toEqual([ID])
  expect(await readdir(root)).toEqual([`${ID}.json`])
})

it('a result is told of when it is stored, and only its owner can read it until then', async () => {
  const { outbox, stored } = await outboxOver(DOWN, DOWN, new RefusedError(409, 'stale', 'no'))
  for (const id of IDS) await outbox.post(id, report)
  expect(stored).toEqual([])
  const { mode } = await stat(join(root, `${ID}.json`))
  expect(mode & 0o777).toBe(0o600)
  await outbox.flush()
  expect(stored).toEqual(IDS.slice(0, 2))
})

it('an outbox takes from its folder what is a result, and removes the rest', async () => {
  const { outbox } = await outboxOver(DOWN)
  await outbox.post(ID, report)
  for (const name of [`${ID}.json.new`, `${ID}.txt`, 'x.json', `${ID}0.json`])
    await writeFile(join(root, name), '{}')
  const next = await outboxOver()
  expect(next.outbox.waiting).toEqual([ID])
  expect(await readdir(root)).toEqual([`${ID}.json`])
})

it('a kept result that cannot be read is given up without a call', async () => {
  await writeFile(join(root, `${ID}.json`), '{"lease":')
  const { outbox, sent, events } = await outboxOver()
  expect(await outbox.flush()).toBe(true)
  expect({ sent, events }).toEqual({ sent: [], events: ['result_expired'] })
  expect(await readdir(root)).toEqual([])
})

it('passes at the same time are one', async () => {
  const { outbox, unanswered } = await slowServer()
  const post = outbox.post(ID, report)
  await eventually(() => expect(unanswered).toHaveLength(1))
  unanswered[0]?.answer.reject(DOWN)
  await post
  const passes = [outbox.flush(), outbox.flush()]
  await eventually(() => expect(unanswered).toHaveLength(2))
  unanswered[1]?.answer.reject(DOWN)
  expect(await Promise.all(passes)).toEqual([false, false])
  expect(unanswered).toHaveLength(2)
})

it('a result is kept for a day', async () => {
  const { outbox, events } = await outboxOver(DOWN, DOWN)
  await outbox.post(ID, report)
  await age(ID, 24 * 60 - 1)
  await outbox.flush()
  expect(events).toEqual(['result_waits', 'result_waits'])
  expect(outbox.waiting).toEqual([ID])
})

it('an old result is sent once more before it is given up', async () => {
  const { outbox, sent, events } = await outboxOver(DOWN)
  await outbox.post(ID, report)
  const longAgo = new Date(Date.now() - 48 * 3_600_000)
  await utimes(join(root, `${ID}.json`), longAgo, longAgo)
  await outbox.flush()
  expect(sent).toEqual([ID, ID])
  expect(events).toEqual(['result_waits', 'result_stored'])
})

it('an old result that cannot be delivered is given up', async () => {
  const { outbox, events } = await outboxOver(DOWN, DOWN)
  await outbox.post(ID, report)
  const longAgo = new Date(Date.now() - 48 * 3_600_000)
  await utimes(join(root, `${ID}.json`), longAgo, longAgo)
  await outbox.flush()
  expect(events.at(-1)).toBe('result_expired')
  expect(outbox.waiting).toEqual([])
  expect(await readdir(root)).toEqual([])
})

it('a stopped outbox ends its pass and keeps what waits for the next start', async () => {
  const { outbox, sent } = await outboxOver(...Array.from({ length: 6 }, () => DOWN))
  for (const id of IDS) await outbox.post(id, report)
  expect(await outbox.flush()).toBe(false)
  outbox.stop()
  await outbox.flush()
  expect(sent).toHaveLength(6)
  expect(outbox.waiting).toEqual(IDS)
  const next = await outboxOver()
  await next.outbox.flush()
  expect(next.sent).toEqual(IDS)
})

it('a result whose file is gone when it is refused ends all the same', async () => {
  const { outbox, events } = await outboxOver(DOWN, new RefusedError(409, 'stale_lease', 'stale'))
  await outbox.post(ID, report)
  const flushed = outbox.flush()
  await flushed
  expect(events).toEqual(['result_waits', 'result_stale'])
})

it.each([400, 404, 413])(
  'a result that the server refuses with %i is not kept: the job goes back, with the reason',
  async (status) => {
    const refusal = new RefusedError(status, 'bad_body', 'The body is wrong.')
    const { outbox, released, events } = await outboxOver(refusal)
    await outbox.post(ID, report)
    expect(released).toEqual([
      {
        id: ID,
        lease: 'lease',
        drained: false,
        fault: 'job',
        reason: `The server refuses the result: ${status} The body is wrong.`,
      },
    ])
    expect(events).toEqual(['result_refused'])
    expect(outbox.waiting).toEqual([])
    expect(await readdir(root)).toEqual([])
  },
)

it.each(['', 'x'])('the reason holds no half of a character, after %j', async (before) => {
  const refusal = new RefusedError(400, 'bad_body', `${before}${'\u{1f600}'.repeat(REASON_LENGTH)}`)
  const { outbox, released } = await outboxOver(refusal)
  await outbox.post(ID, report)
  const { reason } = jobRelease.parse(released[0])
  expect(reason).toHaveLength(REASON_LENGTH)
  expect(reason?.isWellFormed()).toBe(true)
})

/** A refusal by a proxy on the way. */
function refusedOnTheWay(status: number): RefusedError {
  return new RefusedError(status, NOT_FROM_SERVER, 'no')
}

it.each([302, 403, 404, 409])(
  'a result refused with %i in words that are not the server’s is kept: a proxy did it',
  async (status) => {
    const { outbox, released, events } = await outboxOver(refusedOnTheWay(status))
    await outbox.post(ID, report)
    expect(released).toEqual([])
    expect(events).toEqual(['result_waits'])
    expect(outbox.waiting).toEqual([ID])
  },
)

it('a proxy that dislikes what a program printed gets the verdict without it', async () => {
  const { outbox, sent, events } = await outboxOver(refusedOnTheWay(403))
  const kept = { task: 0, case: 0, stdout: '', stdoutSize: 0, stderr: '', stderrSize: 0 }
  await outbox.post(ID, { ...report, outputs: [{ ...kept, expected: '', expectedSize: 0 }] })
  expect(sent).toEqual([ID, ID])
  expect(events).toEqual(['result_stored'])
})

it('a job whose result a proxy refuses for ten minutes goes back as soon as the server hears of it', async () => {
  const { outbox, released, events, server } = await outboxOver(
    ...Array.from({ length: 3 }, () => refusedOnTheWay(403)),
  )
  await outbox.post(ID, report)
  const aWhileAgo = new Date(Date.now() - 11 * 60_000)
  await utimes(join(root, `${ID}.json`), aWhileAgo, aWhileAgo)
  vi.spyOn(server, 'release').mockRejectedValueOnce(refusedOnTheWay(403))
  await outbox.flush()
  expect(events).toEqual(['result_waits', 'release_failed'])
  expect(outbox.waiting).toEqual([ID])
  await outbox.flush()
  expect(released).toMatchObject([{ id: ID, drained: false }])
  expect(events.at(-1)).toBe('result_refused')
  expect(outbox.waiting).toEqual([])
})

it('a proxy that refuses a result may have changed its mind within ten minutes', async () => {
  const { outbox, released } = await outboxOver(refusedOnTheWay(403), refusedOnTheWay(403))
  await outbox.post(ID, report)
  await age(ID, 9)
  await outbox.flush()
  expect(released).toEqual([])
  expect(outbox.waiting).toEqual([ID])
})

it('a result that is too large for whoever is on the way goes back, and so does one whose release is refused', async () => {
  const { outbox, released, server } = await outboxOver(refusedOnTheWay(413), refusedOnTheWay(413))
  await outbox.post(ID, report)
  expect(released).toMatchObject([{ id: ID, fault: 'job' }])
  vi.spyOn(server, 'release').mockRejectedValueOnce(new RefusedError(409, 'stale_lease', 'stale'))
  await outbox.post(IDS[1] ?? '', report)
  expect(outbox.waiting).toEqual([])
})

it('a refusal by the server that is not about the size is not tried again without the outputs', async () => {
  const { outbox, sent } = await outboxOver(new RefusedError(400, 'bad_result', 'no'))
  const kept = { task: 0, case: 0, stdout: '', stdoutSize: 0, stderr: '', stderrSize: 0 }
  await outbox.post(ID, { ...report, outputs: [{ ...kept, expected: '', expectedSize: 0 }] })
  expect(sent).toEqual([ID])
})

it('a result that cannot be kept is sent, and leaves no half of it', async () => {
  const { outbox, events } = await outboxOver()
  // A folder in the file's place makes the write fail late, as on a full disk.
  await mkdir(join(root, `${ID}.json`, 'x'), { recursive: true })
  await outbox.post(ID, report)
  expect(events).toEqual(['result_not_kept', 'result_stored'])
  expect(await readdir(root)).toEqual([`${ID}.json`])
})

it('a result refused for the runner’s token alone is kept', async () => {
  const { outbox, released } = await outboxOver(new RefusedError(401, 'bad_token', 'no'))
  await outbox.post(ID, report)
  expect(released).toEqual([])
  expect(outbox.waiting).toEqual([ID])
})

it('asks for the next job with a result, and says so when it sends that again because no answer came', async () => {
  const job = new JudgeServer().job(1)
  const answers: (Job | Error | null)[] = [DOWN, job]
  const asked: unknown[] = []
  const server = {
    async result(_id: string, { next }: ResultReport) {
      asked.push(next)
      const answer = answers.shift() ?? null
      if (answer instanceof Error) throw answer
      return answer
    },
    async release() {},
  }
  const outbox = await ResultOutbox.open(root, server, () => {})
  const taken: unknown[] = []
  outbox.next = {
    ask: (isRepeated) => ({ takesRuns: !isRepeated, ahead: isRepeated }),
    take: (answer) => taken.push(answer),
  }
  expect(await outbox.post(ID, report)).toBe(false)
  expect(outbox.mayHoldJobs).toBe(true)
  // The kept file leaves out the request for the next job, which holds only for the moment.
  expect(await readFile(join(root, `${ID}.json`), 'utf8')).not.toContain('takesRuns')
  expect(await outbox.flush()).toBe(true)
  expect(outbox.mayHoldJobs).toBe(false)
  expect(asked).toEqual([
    { takesRuns: true, ahead: false },
    { takesRuns: false, ahead: true },
  ])
  expect(taken).toEqual([undefined, job])
})

it('a next job that cannot be read is no reason to send the result again', async () => {
  const unreadable = new UnreadableJobError({ judgementId: ID, lease: 'l' }, 'no')
  const { outbox, sent, stored } = await outboxOver(unreadable)
  const taken: unknown[] = []
  outbox.next = { ask: () => ({ takesRuns: true, ahead: false }), take: (it) => taken.push(it) }
  expect(await outbox.post(ID, report)).toBe(true)
  expect({ sent, stored, taken }).toEqual({ sent: [ID], stored: [ID], taken: [unreadable] })
})
