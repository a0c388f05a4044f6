/** The steps of the judging protocol, for the search of its states: the list of steps, and how to take each. */
import { env } from 'cloudflare:workers'
import type { JobRelease } from '#contract/judging'
import { STATUS, type Verdict } from '#contract/verdicts'
import { openDb } from '../../../../worker/db/client.ts'
import { claimBest } from '../../../../worker/features/judging/claim/claim-queries.ts'
import { releaseJudgement } from '../../../../worker/features/judging/lease/hand-back-queries.ts'
import {
  failExhausted,
  takeStaleTickets,
} from '../../../../worker/features/judging/lease/lost-job-queries.ts'
import { rejudge } from '../../../../worker/features/judging/rejudge/rejudge-queries.ts'
import { takeResult } from '../../support/take-result.ts'
import { recordHeartbeat } from '../../../../worker/features/judging/hosts/runner-queries.ts'
import type { Change } from '../../../../worker/http/change.ts'
import { AppError } from '../../../../worker/http/errors.ts'
import { reportOf } from '../../support/judge.ts'
import { BOTH, currentJobs, isSecondFirst, type Index, type Rows, type World } from './rows.ts'
import { workerEnv } from '../../support/step-queue.ts'

/** Jobs that a runner may hold. */
export const SLOTS = 1

/**
 * A step. It also states the facts that depend on the time that has passed:
 * `rested`: the submissions whose job the claiming runner handed back so long ago that it may have it again;
 * `isAlone`: the other runner is silent;
 * `names`: the submissions whose jobs the runner names, of the jobs that it holds;
 * `isBehind`: the other job was handed back more often than this one.
 */
export type Step =
  | { kind: 'claim'; runner: Index; rested: readonly Index[]; isAlone: boolean }
  | { kind: 'heartbeat'; runner: Index; names: readonly Index[]; started: boolean }
  | { kind: 'result'; of: Index; verdict: Verdict }
  | {
      kind: 'release'
      of: Index
      why: 'drain' | 'fault of the host' | 'fault of the job'
      isBehind: boolean
    }
  | { kind: 'rejudge'; of: Index; isBehind: boolean }
  | { kind: 'sweep' }
  | { kind: 'leases and rests end' }

/** The result of a step. `claimed`: the judgement and its lease. `ids`: judgements that got tickets or became free. */
export interface Outcome {
  claimed?: { id: string; lease: string; isUnjudgeable: boolean } | null
  isAccepted?: boolean
  ids?: string[]
}

const subsetsOf = <T>(things: readonly T[]): T[][] =>
  things.reduce<T[][]>((sets, thing) => [...sets, ...sets.map((set) => [...set, thing])], [[]])

/** A claim after such a long time that the runner may have every job again. */
export function lateClaim(world: World, rows: Rows, runner: Index, isAlone: boolean): Step {
  const rested = restingOf(world, rows, runner)
  return { kind: 'claim', runner, rested, isAlone: isAlone && rested.length > 0 }
}

/** The submissions with a free job that the runner has handed back. */
function restingOf(world: World, rows: Rows, runner: Index): Index[] {
  const jobs = currentJobs(world, rows)
  return BOTH.filter((index) => {
    const { isOpen, hadBy, until, runner: holder } = jobs[index]
    return isOpen && hadBy[runner] && until !== 'runs' && !(until === 'over' && holder === runner)
  })
}

function runnerSteps(world: World, rows: Rows, runner: Index): Step[] {
  const jobs = currentJobs(world, rows)
  const held = BOTH.filter((index) => jobs[index].isOpen && jobs[index].runner === runner)
  const claims = subsetsOf(restingOf(world, rows, runner)).flatMap((rested) =>
    (rested.length > 0 ? [false, true] : [false]).map((isAlone): Step => ({
      kind: 'claim',
      runner,
      rested,
      isAlone,
    })),
  )
  const beats = subsetsOf(held).flatMap((names): Step[] => [
    // A heartbeat that names no held job and is not the first after a start changes nothing, so one is enough.
    ...(names.length > 0 || held.length === 0
      ? [{ kind: 'heartbeat', runner, names, started: false } as const]
      : []),
    ...(names.length < held.length
      ? [{ kind: 'heartbeat', runner, names, started: true } as const]
      : []),
  ])
  return [...claims, ...beats]
}

function jobSteps(world: World, rows: Rows, of: Index): Step[] {
  const jobs = currentJobs(world, rows)
  const areBothOpen = jobs.every(({ isOpen }) => isOpen)
  const isFirst = areBothOpen && isSecondFirst(jobs) === (of === 1)
  const rejudges = (areBothOpen ? [false, true] : [false]).map((isBehind): Step => ({
    kind: 'rejudge',
    of,
    isBehind,
  }))
  if (jobs[of].row.state !== 'leased') return rejudges
  // The two reasons that use up no attempt have the same effect, so each submission gets one of them.
  const whys = [of === 0 ? 'drain' : 'fault of the host', 'fault of the job'] as const
  const releases = whys.flatMap((why) =>
    (isFirst ? [false, true] : [false]).map((isBehind): Step => ({
      kind: 'release',
      of,
      why,
      isBehind,
    })),
  )
  const results = [STATUS.AC, STATUS.JE].map((verdict): Step => ({ kind: 'result', of, verdict }))
  return [...rejudges, ...releases, ...results]
}

/** All steps from a state. */
export function stepsFrom(world: World, rows: Rows): Step[] {
  const runs = currentJobs(world, rows).some(({ until }) => until === 'runs')
  return [
    ...BOTH.flatMap((runner) => runnerSteps(world, rows, runner)),
    ...BOTH.flatMap((of) => jobSteps(world, rows, of)),
    { kind: 'sweep' },
    ...(runs ? [{ kind: 'leases and rests end' } as const] : []),
  ]
}

/** The rows of a state just before a step: with the ages of hand-backs, and of the runners' last calls. */
export function rowsBefore(world: World, rows: Rows, step: Step): Rows {
  const jobs = currentJobs(world, rows)
  if (step.kind === 'leases and rests end') {
    const judgements = rows.judgements.map((row) =>
      row.lease_until === null ? row : { ...row, lease_until: world.now - 1 },
    )
    return { ...rows, judgements }
  }
  if (step.kind === 'claim') {
    const rested = step.rested.map((index) => jobs[index].row.id)
    const handBacks = rows.handBacks.map((row) => {
      const isRested =
        row.runner_id === world.runnerIds[step.runner] && rested.includes(row.judgement_id)
      return isRested ? { ...row, last_at: world.now - 1_000 } : row
    })
    const runners = rows.runners.map((row) =>
      step.isAlone && row.id !== world.runnerIds[step.runner]
        ? { ...row, heartbeat_at: world.now - 1_000 }
        : row,
    )
    return { ...rows, handBacks, runners }
  }
  if ((step.kind === 'release' || step.kind === 'rejudge') && step.isBehind) {
    const other = jobs[step.of === 0 ? 1 : 0].row.id
    const judgements = rows.judgements.map((row) => (row.id === other ? { ...row, rank: 2 } : row))
    return { ...rows, judgements }
  }
  return rows
}

/** Whether a call was accepted; throws any other error. */
export async function isAccepted(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'stale_lease') return false
    throw error
  }
}

/** The reasons for a hand-back, as a runner sends them. */
const RELEASES: Record<string, Omit<JobRelease, 'lease'>> = {
  drain: { drained: true, reason: null },
  'fault of the host': { drained: false, fault: 'host', reason: null },
  'fault of the job': { drained: false, fault: 'job', reason: null },
}

/** Takes a step; the database holds `rows`. */
export async function takeStep(
  world: World & { change: Change },
  rows: Rows,
  step: Exclude<Step, { kind: 'leases and rests end' }>,
): Promise<Outcome> {
  const db = openDb(env.DB)
  const { now } = world
  const jobs = currentJobs(world, rows)
  if (step.kind === 'claim') {
    const lease = `the new lease of runner ${step.runner}`
    const claimant = { id: world.runnerIds[step.runner], slots: SLOTS }
    const { claimed } = await claimBest(db, claimant, lease, now)
    return {
      claimed: claimed ? { id: claimed.id, lease, isUnjudgeable: 'reason' in claimed.job } : null,
    }
  }
  if (step.kind === 'heartbeat') {
    // A heartbeat may also name a job of the past, even one that another runner holds now.
    const forgotten = BOTH.filter(
      (index) => jobs[index].runner === step.runner && !step.names.includes(index),
    ).map((index) => jobs[index].row.id)
    const active = rows.judgements.map(({ id }) => id).filter((id) => !forgotten.includes(id))
    const beat = { active, slots: SLOTS, free: 0, load: 0, started: step.started }
    const host = { id: world.runnerIds[step.runner], slotLimit: SLOTS }
    return { ids: await recordHeartbeat(db, host, beat, now) }
  }
  if (step.kind === 'sweep') {
    await failExhausted(db, now)
    return { ids: await takeStaleTickets(db, now) }
  }
  const { id, lease } = jobs[step.of].row
  if (step.kind === 'result') {
    const report = { ...reportOf(lease ?? '', step.verdict), outputs: [] }
    return { isAccepted: await isAccepted(takeResult(workerEnv, db, id, report, now)) }
  }
  if (step.kind === 'release') {
    const release = { drained: false, reason: null, ...RELEASES[step.why], lease: lease ?? '' }
    return { isAccepted: await releaseJudgement(db, id, release, now) }
  }
  const submissionId = world.submissionIds[step.of]
  return { ids: [(await rejudge(db, { submissionId }, world.change)) ?? ''] }
}
