/** The rows of the judging protocol, for the search of its states: read, written back, and turned into a state. */
import { env } from 'cloudflare:workers'
import { JUDGING } from '#contract/limits'
import { HAND_BACK } from '../../../../worker/features/judging/lease/hand-back-queries.ts'

type Row = Record<string, unknown>

/** The columns of `judgements` that the search compares; the row keeps the others, too. */
export type JudgementRow = Row & {
  id: string
  submission_id: string
  state: 'queued' | 'leased' | 'done' | 'superseded' | 'failed'
  rank: number
  attempt: number
  lease: string | null
  lease_until: number | null
  runner_id: string | null
  finished_at: number | null
  status: number
}
export type SubmissionRow = Row & {
  id: string
  user_id: number
  status: number
  score: number
  judgement_id: string
  quota_used: 0 | 1
}
type HandBackRow = Row & { judgement_id: string; runner_id: string; last_at: number }
export type ResultRow = Row & { user_id: number; quota_uses: number }
export type RunnerRow = Row & { id: string; heartbeat_at: number; verdict_counts: string }

export interface Rows {
  judgements: JudgementRow[]
  submissions: SubmissionRow[]
  handBacks: HandBackRow[]
  results: ResultRow[]
  runners: RunnerRow[]
}

/** Index of one of the two runners, or of the two submissions. */
export type Index = 0 | 1
export const BOTH: readonly [Index, Index] = [0, 1]

/** Constants of a search. `oldIds`: a finished judgement of each submission. `base`: the rows at the beginning. */
export interface World {
  now: number
  base: Rows
  submissionIds: readonly [string, string]
  oldIds: readonly [string, string]
  runnerIds: readonly [string, string]
}

/** A lease or a pause: while it runs, nobody may claim the job. */
type Until = 'none' | 'runs' | 'over'

/** A judgement. `hadBy`: for each runner, whether it has handed the job back. */
export interface Job {
  row: JudgementRow
  submission: Index
  isOpen: boolean
  until: Until
  runner: Index | null
  hadBy: readonly [boolean, boolean]
}

const TABLES = [
  'select * from judgements order by id',
  'select * from submissions order by id',
  'select * from hand_backs order by judgement_id, runner_id',
  'select * from problem_results order by user_id',
  'select * from runners order by id',
]

/** All rows as stored. */
export async function readRows(): Promise<Rows> {
  const answers = await env.DB.batch<Row>(TABLES.map((text) => env.DB.prepare(text)))
  const [judgements, submissions, handBacks, results, runners] = answers.map(
    (answer) => answer.results,
  )
  return { judgements, submissions, handBacks, results, runners } as Rows
}

const fields = (columns: string[]) => columns.map((column) => `value ->> '${column}'`).join(', ')

function insertRows(table: string, rows: Row[]): D1PreparedStatement[] {
  const columns = Object.keys(rows[0] ?? {})
  if (columns.length === 0) return []
  const text = `insert into ${table} (${columns.join(', ')}) select ${fields(columns)} from json_each(?)`
  return [env.DB.prepare(text).bind(JSON.stringify(rows))]
}

/** Changes columns of stored rows, which `key` identifies. */
function updateRows(table: string, key: string, columns: string[], rows: Row[]) {
  const text = `update ${table} set (${columns.join(', ')}) =
    (select ${fields(columns)} from json_each(?) where value ->> '${key}' = ${table}.${key})`
  return env.DB.prepare(text).bind(JSON.stringify(rows))
}

/** Changes the rows from `present` to `wanted`; finished judgements stay. */
export async function writeRows(world: World, present: Rows, wanted: Rows): Promise<void> {
  const differ = (of: (rows: Rows) => unknown) =>
    JSON.stringify(of(present)) !== JSON.stringify(of(wanted))
  const changes: D1PreparedStatement[] = []
  const current = ({ judgements }: Rows) =>
    judgements.filter(({ id }) => !world.oldIds.includes(id))
  if (differ(current) || differ(({ handBacks }) => handBacks))
    changes.push(
      env.DB.prepare('delete from hand_backs'),
      env.DB.prepare('delete from judgements where id not in (?, ?)').bind(...world.oldIds),
      ...insertRows('judgements', current(wanted)),
      ...insertRows('hand_backs', wanted.handBacks),
    )
  if (differ(({ submissions }) => submissions)) {
    const columns = ['status', 'score', 'run_time_ms', 'memory_kb', 'judgement_id', 'quota_used']
    changes.push(updateRows('submissions', 'id', columns, wanted.submissions))
  }
  if (differ(({ results }) => results)) {
    const columns = Object.keys(wanted.results[0] ?? {}).filter(
      (name) => !['user_id', 'problem_id'].includes(name),
    )
    changes.push(updateRows('problem_results', 'user_id', columns, wanted.results))
  }
  if (differ(({ runners }) => runners.map((row) => row.heartbeat_at)))
    changes.push(updateRows('runners', 'id', ['heartbeat_at'], wanted.runners))
  if (changes.length > 0) await env.DB.batch(changes)
}

const indexIn = (ids: readonly string[], id: string | null): Index | null =>
  id === ids[0] ? 0 : id === ids[1] ? 1 : null

function untilOf({ now }: World, { lease_until: until }: JudgementRow): Until {
  return until === null ? 'none' : until < now ? 'over' : 'runs'
}

export function jobOf(world: World, { handBacks }: Rows, row: JudgementRow): Job {
  const hasHad = (runner: Index) =>
    handBacks.some(
      (back) => back.judgement_id === row.id && back.runner_id === world.runnerIds[runner],
    )
  return {
    row,
    submission: indexIn(world.submissionIds, row.submission_id) ?? 0,
    isOpen: row.finished_at === null,
    until: untilOf(world, row),
    runner: row.state === 'leased' ? indexIn(world.runnerIds, row.runner_id) : null,
    hadBy: [hasHad(0), hasHad(1)],
  }
}

/** The current judgement of each submission. */
export function currentJobs(world: World, rows: Rows): readonly [Job, Job] {
  const [first, second] = world.submissionIds.map((id) => {
    const { judgement_id: current } = rows.submissions.find((row) => row.id === id) ?? {}
    const row = rows.judgements.find((row) => row.id === current)
    if (!row) throw new Error('a submission has no judgement')
    return jobOf(world, rows, row)
  })
  return [first, second] as [Job, Job]
}

/** Whether both wait for a verdict, and a claim looks at the second submission first. */
export function isSecondFirst([left, right]: readonly [Job, Job]): boolean {
  if (!left.isOpen || !right.isOpen) return false
  const ranks = left.row.rank - right.row.rank
  return ranks > 0 || (ranks === 0 && left.row.id > right.row.id)
}

/** Age of every job in the queue: older than a ticket may be. */
const AGE_SECONDS = 1_000

/** Ids of judgements, in the order in which claims look at them. */
const IDS = [`${'0'.repeat(23)}1`, `${'0'.repeat(23)}2`]

/** A submission and its current judgement in normal form: without the values that claims and clocks make different each time. */
export interface Part {
  judgement: JudgementRow
  submission: SubmissionRow
  result: ResultRow
  hadBy: readonly [boolean, boolean]
}

/**
 * The part of a submission. While it waits, the first submission counts for the quota and the second does not, so the
 * search covers both cases, and a rejudge after a Judge Error makes no further states.
 */
export function partOf(world: World, rows: Rows, index: Index): Part {
  const job = currentJobs(world, rows)[index]
  const submission = rows.submissions.find(({ id }) => id === world.submissionIds[index])
  const result = rows.results.find((row) => row.user_id === submission?.user_id)
  if (!submission || !result) throw new Error('a submission or its summary is gone')
  const { row, isOpen, until, hadBy } = job
  const lease = row.lease && `the present lease of submission ${index}`
  if (!isOpen) return { judgement: { ...row, lease }, submission, result, hadBy: [false, false] }
  const { now } = world
  const judgement = {
    ...row,
    lease,
    rank: 0,
    lease_until: { none: null, runs: now + JUDGING.leaseSeconds, over: now - 1 }[until],
    claimed_at: row.state === 'leased' ? now : null,
    queued_at: now - AGE_SECONDS,
    ticket_at: now - AGE_SECONDS,
    reason: null,
  }
  const quota = index === 0 ? 1 : 0
  return {
    judgement,
    submission: { ...submission, quota_used: quota },
    result: { ...result, quota_uses: quota },
    hadBy,
  }
}

const isOpenPart = ({ judgement }: Part) => judgement.finished_at === null

/** The part with the two runners exchanged. */
export function swapRunners(world: World, part: Part): Part {
  const { judgement, hadBy } = part
  const runner = indexIn(world.runnerIds, judgement.runner_id)
  if (!isOpenPart(part)) return part
  return {
    ...part,
    judgement: {
      ...judgement,
      runner_id: runner === null ? null : world.runnerIds[runner === 0 ? 1 : 0],
    },
    hadBy: [hadBy[1], hadBy[0]],
  }
}

/** A text that identifies a part. */
export function formOf(world: World, part: Part): string {
  const { judgement, hadBy } = part
  if (!isOpenPart(part)) return `${judgement.state} ${judgement.status}`
  const runner = judgement.state === 'leased' ? indexIn(world.runnerIds, judgement.runner_id) : '-'
  return [
    judgement.state,
    judgement.attempt,
    untilOf(world, judgement),
    runner,
    ...hadBy.map(Number),
  ].join(' ')
}

const byText = (left: unknown, right: unknown) =>
  JSON.stringify(left) < JSON.stringify(right) ? -1 : 1

/** The rows of two parts, with the constant rows of `world.base`. */
export function rowsOf(world: World, parts: readonly [Part, Part], isSecondFirst: boolean): Rows {
  const ids = isSecondFirst ? IDS.toReversed() : IDS
  const { base, now } = world
  return {
    judgements: [
      ...BOTH.map((index) => ({ ...parts[index].judgement, id: ids[index] ?? '' })),
      ...base.judgements.filter(({ id }) => world.oldIds.includes(id)),
    ].toSorted((left, right) => (left.id < right.id ? -1 : 1)),
    submissions: BOTH.map((index) => ({
      ...parts[index].submission,
      judgement_id: ids[index] ?? '',
    })).toSorted((left, right) => (left.id < right.id ? -1 : 1)),
    handBacks: BOTH.flatMap((index) =>
      BOTH.filter((runner) => parts[index].hadBy[runner]).map((runner) => ({
        judgement_id: ids[index] ?? '',
        runner_id: world.runnerIds[runner],
        first_at: now,
        last_at: now,
        wait_seconds: HAND_BACK.longestWaitSeconds,
      })),
    ).toSorted(byText),
    results: parts
      .map(({ result }) => result)
      .toSorted((left, right) => left.user_id - right.user_id),
    runners: base.runners.map((row) => ({ ...row, heartbeat_at: now })),
  }
}
