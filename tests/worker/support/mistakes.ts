/** Submissions that fail with a mistake, as a host reports them. */
import { judgeOutcome, judgeSubtask, STATUS, type CaseResult } from '#contract/verdicts'
import { claim, report, reportOf } from './judge.ts'
import { runSql } from './sql.ts'
import { submit, type Person } from './world.ts'

/** The mistake of a letter. */
export const mistakeOf = (letter: string) => letter.repeat(16)

/** A result about `createProblem`'s problem whose first failing case is this one. */
function reportAt(lease: string, task: number, index: number) {
  const ran = (status: CaseResult['status']) => ({ status, runTime: 3, memoryUsage: 900 })
  const skipped: CaseResult = { status: null, runTime: null, memoryUsage: null }
  const casesOf = (of: number, count: number) =>
    Array.from({ length: count }, (_, at) => {
      if (of !== task || at < index) return ran(STATUS.AC)
      return at === index ? ran(STATUS.WA) : skipped
    })
  const outcome = judgeOutcome([judgeSubtask(casesOf(0, 1), 0), judgeSubtask(casesOf(1, 2), 100)])
  return { ...reportOf(lease, STATUS.WA), ...outcome }
}

/** Hands in a program that fails first at this case, with this mistake. */
export async function fail(
  token: string,
  as: Person,
  problemId: number,
  { mistake, task = 1, index = 0 }: { mistake: string | null; task?: number; index?: number },
): Promise<string> {
  const id = await submit(as, problemId)
  await judgeWith(token, { mistake, task, index })
  return id
}

/** Judges the next job with this mistake. */
export async function judgeWith(
  token: string,
  { mistake, task = 1, index = 0 }: { mistake: string | null; task?: number; index?: number },
): Promise<void> {
  const { data: job } = await claim(token)
  const result = reportAt(job.lease, task, index)
  const answer = await report(token, job.judgementId, { ...result, mistake })
  if (answer.status !== 200) throw new Error(`not taken: ${answer.message}`)
}

/** Stores a mistake as its verdict does. */
export async function noteMistake(judgementId: string, mistake: string | null): Promise<void> {
  await runSql`update judgements set mistake = ${mistake} where id = ${judgementId}`
  await runSql`update problem_results set failed_id = s.id, mistake = ${mistake}
    from submissions s where s.judgement_id = ${judgementId} and ${mistake} is not null
      and problem_results.problem_id = s.problem_id and problem_results.user_id = s.user_id`
}

/** Counts mistakes to another one. */
export async function merge(problemId: number, mistake: string, into: string): Promise<void> {
  await runSql`insert into merged_mistakes values (${problemId}, ${mistake}, ${into})`
}

/** The texts of the hints under a submission. */
export async function hintsOf(as: Person, submissionId: string): Promise<string[]> {
  const { data } = await as.get(`/submission/${submissionId}`)
  return data.hints.map(({ markdown }: { markdown: string }) => markdown)
}

/** Writes a hint; throws if the call fails. */
export async function writeHint(as: Person, problemId: number, json: object): Promise<number> {
  const answer = await as.post(`/problem/${problemId}/hints`, { mayNameSecret: true, ...json })
  if (answer.status !== 200) throw new Error(`no hint: ${answer.code} ${answer.message}`)
  return answer.data.hintId
}
