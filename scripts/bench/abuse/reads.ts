/** Pages that look through much for little: fifty calls of a student at once, beside a teacher who opens the same page. */
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { KEPT_OUTPUT_BYTES } from '#contract/limits'
import type { Installation } from '../installation.ts'
import type { Report } from '../report.ts'
import { send } from '../send.ts'
import type { BenchStack } from '../stack.ts'
import { reportBeside } from './beside.ts'

const CALLS = 50
/**
 * The teacher's call has the thread with those of the student that are at work, and waits for what they leave to be collected.
 * Fifty answers of 256 KiB may be on their way.
 */
const MOST = { slower: 10, addedMb: 100 } as const
/** Samples with as much output as is kept of each. */
const SAMPLES = 20
/** Cases of its subtask, which is a long one. */
const CASES = 100
/** A homework of a large class that hands in often. */
const CLASS = { people: 300, problems: 10, attempts: 10 } as const

/** The test data of one subtask. */
async function testData(): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false, level: 0 })
  const content = new Uint8Array(100)
  for (let index = 0; index < CASES; index += 1)
    for (const kind of ['in', 'out'])
      await zip.add(`00${String(index).padStart(2, '0')}.${kind}`, new Uint8ArrayReader(content))
  return zip.close()
}

/** What as many long samples leave in the bucket, for a submission of the classmate; gives the call that reads the last of them. */
async function keepOutputs(stack: BenchStack, submissionId: string): Promise<string> {
  const stream = Buffer.alloc(KEPT_OUTPUT_BYTES, 'x').toString('base64')
  const size = KEPT_OUTPUT_BYTES
  const outputs = Array.from({ length: SAMPLES }, (_, index) => ({
    task: 0,
    case: index,
    stdout: stream,
    stdoutSize: size,
    stderr: '',
    stderrSize: 0,
    expected: stream,
    expectedSize: size,
  }))
  const bucket = await stack.miniflare.getR2Bucket('BUCKET')
  const zip = await testData()
  await bucket.put('outputs/bench.json', JSON.stringify(outputs))
  await bucket.put('test-data/bench.zip', zip)
  const of = (column: string) => `(select ${column} from submissions where id = '${submissionId}')`
  const version = `(select test_data_version from problems where id = ${of('problem_id')})`
  await stack.db.batch(
    [
      `update judgements set outputs_key = 'outputs/bench.json', test_data_version = ${version} where id = ${of('judgement_id')}`,
      `update test_data_versions set object_key = 'test-data/bench.zip', size_bytes = ${zip.length} where id = ${version}`,
      `update subtasks set is_sample = 1 where problem_id = ${of('problem_id')}`,
    ].map((sql) => stack.db.prepare(sql)),
  )
  return `/api/submission/${submissionId}/output/0/${SAMPLES - 1}`
}

/** A class of its own whose homework's scoreboard the classmate sees; gives its path. */
async function fillBoard({ db }: BenchStack): Promise<string> {
  const [course, id] = [9_000, 'b'.repeat(24)]
  const numbers = (count: number) =>
    `(with recursive c(n) as (values(0) union all select n + 1 from c where n + 1 < ${count}) select n from c)`
  const now = Math.floor(Date.now() / 1_000)
  const attempts = `(select json_group_object(printf('%012x%06x%06x', ${now}000, p.n, a.n), json_array(${now}, 1, a.n)) from ${numbers(CLASS.attempts)} a)`
  await db.batch(
    [
      `insert into courses (id, name, name_key, teacher_id, time_zone, created_at) values (${course}, 'Large', 'large', 101, 'UTC', ${now})`,
      `insert into memberships (course_id, user_id, role, joined_at) select ${course}, 1001 + n, 'student', ${now} from ${numbers(CLASS.people)}`,
      `insert into problems (id, course_id, name, status, type, owner_id, tags, quota, allowed_language, description, compare, created_at, updated_at)
        select ${course} + n, ${course}, 'Large ' || n, 0, 0, 101, '[]', -1, 7, description, compare, ${now}, ${now} from ${numbers(CLASS.problems)}, problems where id = 1`,
      `insert into homeworks (id, course_id, name, markdown, start_at, end_at, scoreboard_status, created_at, updated_at)
        values ('${id}', ${course}, 'Large', '', ${now - 86_400}, ${now + 86_400}, 0, ${now}, ${now})`,
      `insert into homework_problems (homework_id, problem_id, position) select '${id}', ${course} + n, n from ${numbers(CLASS.problems)}`,
      `insert into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score, status_counts, fastest_id, leanest_id, attempts)
        select ${course} + q.n, 1001 + p.n, ${CLASS.attempts}, ${CLASS.attempts}, 0, 9, 0, '[0,${CLASS.attempts},0,0,0,0,0,0]', null, null, ${attempts} from ${numbers(CLASS.people)} p, ${numbers(CLASS.problems)} q`,
    ].map((sql) => db.prepare(sql)),
  )
  return `/api/homework/${id}/scoreboard`
}

export async function reads(
  stack: BenchStack,
  { teacher, classmate, submissionId }: Installation,
  report: Report,
): Promise<void> {
  const paths = {
    [`the output of one of ${SAMPLES} samples of 128 KiB`]: await keepOutputs(stack, submissionId),
    [`the scoreboard of ${CLASS.people} people`]: await fillBoard(stack),
  }
  for (const [what, path] of Object.entries(paths))
    await reportBeside(stack, report, {
      what: `${what} beside ${CALLS} calls`,
      honest: () => send(stack, { path, cookie: teacher }),
      burst: () =>
        Promise.all(Array.from({ length: CALLS }, () => send(stack, { path, cookie: classmate }))),
      most: MOST,
      rounds: 5,
    })
}
