/** What the newest failing programs of one problem printed, as a judge host would have kept it. */
import type { DatabaseSync } from 'node:sqlite'
import type { ReportedOutput } from '#contract/judging'
import type { DemoProblem } from '../problem.ts'
import { windowProblem } from '../window-sums.ts'
import { folderOf, type Programs } from './programs.ts'
import { firstFailed } from './results.ts'

/** The judgements of everybody's newest failing submission to a problem. */
const NEWEST_FAILED = `select judgement_id as judgementId, mistake from problem_results
  join submissions on submissions.id = failed_id join problems on problems.id = problem_results.problem_id where name = ?`

/** The input beside an output comes from the judgement's test data. */
const SET_KEY = `update judgements set outputs_key = ?, test_data_version = (select test_data_version from problems
  join submissions on problems.id = problem_id where submissions.id = submission_id) where id = ?`

function reported(
  where: { task: number; case: number },
  texts: Record<'stdout' | 'stderr' | 'expected', Uint8Array>,
): ReportedOutput {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  return {
    // A search of the stored text expects this order.
    task: where.task,
    case: where.case,
    stdout: base64(texts.stdout),
    stdoutSize: texts.stdout.length,
    stderr: base64(texts.stderr),
    stderrSize: texts.stderr.length,
    expected: base64(texts.expected),
    expectedSize: texts.expected.length,
  }
}

/** The kept output of each mistake of a problem, as the text of an object. */
function outputsByMistake({ form, cases }: DemoProblem, programs: Programs): Map<string, string> {
  const texts = new Map<string, string>()
  for (const program of programs.get(folderOf(form.problemName)) ?? []) {
    const { planted } = program
    const where = firstFailed(program)
    const expected = where && cases[where.task]?.[where.case]?.output
    if (!expected || !planted || planted.stdout === null || planted.stderr === null) continue
    const [stdout, stderr] = [Buffer.from(planted.stdout), Buffer.from(planted.stderr)]
    texts.set(planted.mistake, JSON.stringify([reported(where, { stdout, stderr, expected })]))
  }
  return texts
}

/**
 * Says in the database that the outputs of the problem “The busiest stretch” are kept.
 * @returns the objects that the bucket then needs, by key
 */
export function keepOutputs(database: DatabaseSync, programs: Programs): Map<string, string> {
  const problem = windowProblem()
  const texts = outputsByMistake(problem, programs)
  const objects = new Map<string, string>()
  for (const row of database.prepare(NEWEST_FAILED).all(problem.form.problemName)) {
    const judgementId = String(row['judgementId'])
    const text = texts.get(String(row['mistake']))
    if (text === undefined) continue
    const key = `outputs/${judgementId}/demo.json`
    database.prepare(SET_KEY).run(key, judgementId)
    objects.set(key, text)
  }
  return objects
}
