/** A submission's page: rows → contract. */
import type { ShownHint } from '#contract/submissions'
import { can } from '#contract/roles'
import type { JudgementSummary, JudgingProgress, SubmissionDetail } from '#contract/submissions'
import { STATUS, submissionStatus } from '#contract/verdicts'
import { toGivenPoints } from '../../db/given-points.ts'
import { estimateSeconds } from '../../db/queue-estimate.ts'
import { toSubmissionItem } from './list-queries.ts'
import type { JudgementRow as StoredJudgement, PackedSubmission } from '../storage/pack-queries.ts'
import { HISTORY_LENGTH, isOpenToSubmitter, type getSubmission } from './queries.ts'

type Loaded = NonNullable<Awaited<ReturnType<typeof getSubmission>>>
type JudgementRow = Loaded['history'][number]

/** Progress of the current judgement; null once it is over. */
function toProgress({
  judgement,
  position: counted,
  throughput,
}: JudgementRow): JudgingProgress | null {
  if (judgement.finishedAt !== null) return null
  const { phase, casesDone: done, casesTotal: total } = judgement
  if (phase !== 'queued') return { phase, done, total }
  const position = Math.max(1, counted)
  const estimate = throughput && { estimateSeconds: estimateSeconds(position, throughput) }
  return { phase, done, total, position, ...estimate }
}

/** Row → contract. Only staff see the reason of a Judge Error. */
function toSummary({ judgement }: JudgementRow, isStaff: boolean): JudgementSummary {
  return {
    judgementId: judgement.id,
    state: judgement.state,
    status: submissionStatus.parse(judgement.status),
    score: judgement.score,
    runTime: judgement.runTimeMs,
    memoryUsage: judgement.memoryKb,
    queuedAt: judgement.queuedAt,
    finishedAt: judgement.finishedAt,
    testDataVersion: judgement.testDataVersion,
    ...(isStaff && { reason: judgement.reason }),
  }
}

/** The judgement a pending submission waits for. */
export function openJudgement({ item, history }: Loaded): JudgementRow['judgement'] | undefined {
  const current = history.find(({ judgement }) => judgement.id === item.judgementId)?.judgement
  return current?.finishedAt === null ? current : undefined
}

/**
 * The subtasks whose output the submitter may read, and the full score of each subtask. A pending submission will be judged with
 * the active test data.
 */
function toSubtaskFacts({ item, history, subtasks }: Loaded) {
  const { judgementId, testDataVersion: active, status } = item
  const current = history.find(({ judgement }) => judgement.id === judgementId)?.judgement
  const judgedWith = status === STATUS.PENDING ? active : (current?.testDataVersion ?? null)
  return {
    sampleTasks: subtasks
      .filter(({ isSample }) => isOpenToSubmitter({ isSample, judgedWith, active }))
      .map(({ position }) => position),
    taskScores: judgedWith === active ? subtasks.map(({ score }) => score) : null,
  }
}

/** The data of a page in which a newer state of a judgement replaces the earlier one. */
export function withJudgement(loaded: Loaded, judgement: JudgementRow['judgement']): Loaded {
  const history = loaded.history.map((entry) =>
    entry.judgement.id === judgement.id ? { ...entry, judgement } : entry,
  )
  return { ...loaded, history }
}

/** A page with the code and judgements from a pack, and with the hints for these. */
export function withPacked(
  loaded: Loaded,
  { code, judgements }: PackedSubmission,
  hints: ShownHint[],
): Loaded {
  const newestFirst = (a: StoredJudgement, b: StoredJudgement) => (a.id < b.id ? 1 : -1)
  const history = judgements
    .filter(({ rejudgeId }) => rejudgeId === null)
    .toSorted(newestFirst)
    .slice(0, HISTORY_LENGTH)
    .map((judgement) => ({ judgement, position: 0, throughput: null }))
  return { ...loaded, item: { ...loaded.item, code, hints }, history }
}

/** Rows → contract. */
export function toSubmissionDetail(loaded: Loaded): SubmissionDetail {
  const { item, history } = loaded
  const { judgementId, code } = item
  const isStaff = can(item.standing, 'submission.readAll')
  const current = history.find(({ judgement }) => judgement.id === judgementId)
  const isPending = item.status === STATUS.PENDING
  return {
    ...toSubmissionItem(item, isStaff),
    code: new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(code ?? undefined),
    tasks: isPending ? null : (current?.judgement.subtasks ?? null),
    compileMessage: isPending ? null : (current?.judgement.compileMessage ?? null),
    progress: isPending && current ? toProgress(current) : null,
    judgements: history.map((entry) => toSummary(entry, isStaff)),
    ...toSubtaskFacts(loaded),
    hasOutputs: item.packId === null,
    tryNumber: item.tryNumber,
    canRejudge: can(item.standing, 'submission.rejudge'),
    hints: item.hints,
    ...(isStaff && { mistake: isPending ? null : (current?.judgement.mistake ?? null) }),
    given: loaded.given.map(({ homeworkId, homework, most, ...row }) => ({
      ...toGivenPoints(row),
      homeworkId,
      homework,
      most,
    })),
  }
}
