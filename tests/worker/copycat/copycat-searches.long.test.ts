import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { copycatComparison, copycatState } from '#contract/copycat'
import { STEPS } from '../../../worker/background/consume-steps.ts'
import { deleteOrphans } from '../../../worker/background/stored-objects.ts'
import { openDb } from '../../../worker/db/client.ts'
import { SWEEP } from '../../../worker/db/retention.ts'
import type { OperationStep } from '../../../worker/features/operations/step.ts'
import { COPYCAT } from '../../../worker/features/copycat/limits.ts'
import { SEARCH_LIMIT } from '../../../worker/features/copycat/start-queries.ts'
import { adoptBucket, confirmDeletions } from '../../../worker/features/storage/installation.ts'
import { PRIMES, PRIMES_DISGUISED, PYTHON_PRIMES, WORDS } from '../support/copycat-programs.ts'
import { judgeAll } from '../support/judge.ts'
import { deliver, finishOperations, workerEnv } from '../support/step-queue.ts'
import { allRows } from '../support/sql.ts'
import {
  addStudents,
  createCourse,
  createPerson,
  createProblem,
  problemForm,
  registerRunner,
  submit,
} from '../support/world.ts'

type World = Awaited<ReturnType<typeof createProblem>>

async function start({ course, teacher, problemId }: World, json: object = {}) {
  return teacher.post('/copycat', { course, problemId, ...json })
}

/** The answer of GET /copycat to the teacher; `data` is parsed by the contract's schema. */
async function look({ course, teacher, problemId }: World) {
  const answer = await teacher.get(`/copycat?course=${course}&problemId=${problemId}`)
  return { ...answer, data: answer.status === 200 ? copycatState.parse(answer.data) : null }
}

/** Starts a search, finishes it and answers its report. */
async function report(world: World, json: object = {}) {
  const started = await start(world, json)
  expect(started.status).toBe(202)
  await finishOperations(started.data.jobId)
  const { data } = await look(world)
  if (data?.state !== 'done') throw new Error(`not done: ${JSON.stringify(data)}`)
  return data
}

/** Number of a job's objects in R2. */
async function tokensOf(jobId: string): Promise<number> {
  return (await env.BUCKET.list({ prefix: `copycat/${jobId}` })).objects.length
}

/** The names in the pairs, as `left|right`. */
function namesOf({ pairs }: { pairs: { left: Side; right: Side }[] }): string[] {
  return pairs.map(({ left, right }) => `${left.user.username}|${right.user.username}`)
}
interface Side {
  user: { username: string }
}

describe('copy detection', () => {
  test('finds a disguised copy, the most similar pair first, languages of two families apart', async () => {
    const world = await createProblem()
    const { student, problemId } = world
    const [copier, other, pythonist] = await addStudents(world, 3)
    if (!copier || !other || !pythonist) throw new Error('nobody')
    expect(await look(world)).toMatchObject({ status: 404, code: 'report_not_found' })
    const original = await submit(student, problemId, PRIMES)
    const copy = await submit(copier, problemId, PRIMES_DISGUISED, 1)
    await submit(other, problemId, WORDS, 1)
    await submit(pythonist, problemId, PYTHON_PRIMES, 2)
    const { pairs, ...numbers } = await report(world)
    expect(pairs[0]).toMatchObject({
      left: { submissionId: original, user: { username: student.username }, languageType: 0 },
      right: { submissionId: copy, user: { username: copier.username }, languageType: 1 },
    })
    expect(pairs[0]?.similarity).toBeGreaterThan(0.95)
    expect(pairs[0]?.longest).toBeGreaterThan(40)
    expect(pairs[0]?.overlap).toBeGreaterThan(100)
    expect(numbers).toMatchObject({ submissionCount: 4, comparedCount: 3, pairCount: pairs.length })
    expect(numbers.histogram).toHaveLength(COPYCAT.histogramBars)
    expect(numbers.histogram.reduce((sum, count) => sum + count, 0)).toBe(pairs.length)
    expect(numbers.histogram.at(-1)).toBe(1)
    for (const { similarity } of pairs.slice(1)) expect(similarity).toBeLessThan(0.1)
  })

  test('takes the newest accepted submission of each student, else the newest; none of staff; a student once per family', async () => {
    const world = await createProblem()
    const { student, ta, teacher, problemId } = world
    const [second, third] = await addStudents(world, 2)
    if (!second || !third) throw new Error('nobody')
    const runner = await registerRunner()
    await judgeAll(runner)
    await submit(student, problemId, WORDS)
    const accepted = await submit(student, problemId, PRIMES)
    const inPython = await submit(student, problemId, PYTHON_PRIMES, 2)
    await judgeAll(runner)
    await submit(student, problemId, WORDS)
    await submit(second, problemId, WORDS)
    const newest = await submit(second, problemId, PRIMES)
    const python = await submit(third, problemId, PYTHON_PRIMES, 2)
    await judgeAll(runner, 1)
    for (const staff of [ta, teacher]) await submit(staff, problemId, PRIMES)
    await third.post('/submission', { problemId, languageType: 0 })
    const { pairs, submissionCount } = await report(world)
    expect(submissionCount).toBe(4)
    expect(
      pairs.map(({ left, right }) => [left.submissionId, right.submissionId].toSorted()).toSorted(),
    ).toEqual([[accepted, newest].toSorted(), [inPython, python].toSorted()].toSorted())
    for (const pair of pairs) expect(pair.similarity).toBe(1)
  })

  test('compares who left the course, shows who was deleted without a name, and only those who are named', async () => {
    const world = await createProblem()
    const { student, teacher, course, problemId } = world
    const [left, deleted] = await addStudents(world, 2)
    if (!left || !deleted) throw new Error('nobody')
    for (const person of [student, left, deleted]) await submit(person, problemId, PRIMES)
    await teacher.patch(`/course/${course}/members`, { remove: [left.username] })
    expect((await report(world)).pairs).toHaveLength(3)
    const named = { usernames: [student.username.toUpperCase(), left.username] }
    expect(namesOf(await report(world, named))).toEqual([`${student.username}|${left.username}`])
    await report(world)
    const admin = await createPerson(0)
    await admin.delete(`/user/${deleted.username}`)
    const names = namesOf(await report(world))
    expect(names).toHaveLength(3)
    expect(names.join(' ')).not.toContain(deleted.username)
    expect(names.join(' ')).toContain(`*${deleted.id}`)
  })

  test('leaves out what everybody has and what the statement gives, so that a copy still shows', async () => {
    const template = `int read_all(int *values) {\n  int count = 0;\n  while (scanf("%d", values + count) == 1) count++;\n  return count;\n}\n`
    const description = { description: `Begin with:\n\`\`\`c\n${template}\`\`\`\n` }
    const world = await createProblem({ description })
    const { student, problemId } = world
    const [copier, other] = await addStudents(world, 2)
    if (!copier || !other) throw new Error('nobody')
    await submit(student, problemId, template + PRIMES)
    await submit(copier, problemId, template + PRIMES_DISGUISED)
    await submit(other, problemId, template + WORDS)
    const { pairs } = await report(world)
    expect(pairs[0]?.similarity).toBeGreaterThan(0.9)
    expect(pairs.slice(1).every(({ similarity }) => similarity < 0.1)).toBe(true)
  })

  test('a problem without submissions has an empty report, and so has one with a single one', async () => {
    const world = await createProblem()
    const empty = { submissionCount: 0, comparedCount: 0, pairCount: 0, pairs: [] }
    expect(await report(world)).toMatchObject(empty)
    await submit(world.student, world.problemId)
    expect(await report(world)).toMatchObject({ ...empty, submissionCount: 1 })
  })
})

describe('a search for copies', () => {
  test('started again while it runs is the same one, also by two at once; audited once', async () => {
    const world = await createProblem()
    await submit(world.student, world.problemId, PRIMES)
    const { ta, course, problemId } = world
    const answers = await Promise.all([
      start(world),
      ta.post('/copycat', { course, problemId }),
      start(world),
    ])
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(new Set(answers.map(({ data }) => data.jobId)).size).toBe(1)
    expect(answers.map(({ data }) => data.count)).toEqual([2, 2, 2])
    const results =
      await allRows`select action, detail from audit_entries where action like 'copycat.%'
        and subject = ${`problem ${problemId}`}`
    expect(results).toHaveLength(1)
  })

  test('shows its progress and the report before it, until it is done', async () => {
    const world = await createProblem()
    const people = await addStudents(world, COPYCAT.readChunk + 1)
    for (const [index, person] of people.entries())
      await submit(person, world.problemId, index < 2 ? PRIMES : `int x${index};`)
    const first = await report(world)
    expect(first.pairs[0]?.similarity).toBe(1)
    const started = await start(world)
    const { jobId } = started.data
    const total = 2 * people.length
    expect((await look(world)).data).toMatchObject({ state: 'running', done: 0, total })
    const seen: number[] = []
    const stepAndLook: OperationStep = async (context) => {
      const { data } = await look(world)
      if (data?.state === 'running') seen.push(data.done)
      expect(data).toMatchObject({ previous: { createTime: first.createTime } })
      return STEPS.copycat(context)
    }
    await deliver({ v: 1, jobId }, { copycat: stepAndLook })
    expect(seen).toEqual([0, 0, COPYCAT.readChunk, people.length, total])
    expect((await look(world)).data?.state).toBe('done')
    expect(await tokensOf(jobId)).toBe(0)
  })

  test('bears every chunk being done twice', async () => {
    const world = await createProblem()
    const [copier] = await addStudents(world, 1)
    if (!copier) throw new Error('nobody')
    await submit(world.student, world.problemId, PRIMES)
    await submit(copier, world.problemId, PRIMES)
    const twice: OperationStep = async (context) => {
      await STEPS.copycat(context)
      return STEPS.copycat(context)
    }
    const { jobId } = (await start(world)).data
    await deliver({ v: 1, jobId }, { copycat: twice })
    const { data } = await look(world)
    expect(data).toMatchObject({ state: 'done', comparedCount: 1, pairCount: 1 })
  })

  test('can be stopped; the report before it is there again, and nothing is stored any more', async () => {
    const world = await createProblem()
    const { course, problemId, teacher } = world
    await submit(world.student, problemId, PRIMES)
    const json = { course, problemId }
    const stop = () => teacher.delete('/copycat', json)
    expect(await stop()).toMatchObject({ status: 409, code: 'no_report_running' })
    await start(world)
    expect((await stop()).status).toBe(200)
    expect(await look(world)).toMatchObject({ status: 404, code: 'report_not_found' })
    const first = await report(world)
    const { jobId } = (await start(world)).data
    const stopInside: OperationStep = async (context) => {
      const outcome = await STEPS.copycat(context)
      await stop()
      return outcome
    }
    await deliver({ v: 1, jobId }, { copycat: stopInside })
    await deliver({ v: 1, jobId })
    expect((await look(world)).data).toEqual(first)
    expect(await stop()).toMatchObject({ status: 409 })
  })

  test('is not stopped by staff of another course', async () => {
    const world = await createProblem()
    await submit(world.student, world.problemId, PRIMES)
    await start(world)
    const { course, teacher } = await createCourse()
    const stop = await teacher.delete('/copycat', { course, problemId: world.problemId })
    expect(stop).toMatchObject({ status: 404, code: 'problem_not_found' })
    expect((await look(world)).data).toMatchObject({ state: 'running' })
  })

  test('of a problem that was deleted meanwhile ends; the problem has no report for anybody', async () => {
    const world = await createProblem()
    const { jobId } = (await start(world)).data
    await world.teacher.delete(`/problem/manage/${world.problemId}`)
    await finishOperations(jobId)
    expect((await world.teacher.get(`/jobs/${jobId}`)).data).toMatchObject({
      state: 'failed',
      error: 'The problem was deleted.',
    })
    expect(await look(world)).toMatchObject({ status: 404, code: 'problem_not_found' })
    expect(await start(world)).toMatchObject({ status: 404, code: 'problem_not_found' })
  })

  test('of more code than fits says so, and keeps the report before', async () => {
    const world = await createProblem()
    const { student, problemId } = world
    await submit(student, problemId, PRIMES)
    const first = await report(world)
    // As many students as needed, each with a program of full length.
    const rows = Math.ceil(COPYCAT.sourceBytes / 65_536)
    await env.DB.batch([
      env.DB.prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
         insert into users (id, username, username_key, email, displayed_name, role, active, created_at)
         select 900000 + i, 'u' || (900000 + i), 'u' || (900000 + i), 'u' || (900000 + i), '', 2, 1, 1 from n`,
      ),
      env.DB.prepare(
        `insert into submissions (id, problem_id, course_id, user_id, language_type, status, quota_used, ip, created_at)
         select printf('%024x', u.id), p.id, p.course_id, u.id, 0, 0, 0, '', 1 from users u, problems p
         where u.id > 900000 and p.id = ?`,
      ).bind(problemId),
      env.DB.prepare(
        `insert into submission_sources (submission_id, code)
         select id, cast(printf('%.*c', 65536, ';') as blob) from submissions where user_id > 900000`,
      ),
    ])
    const { jobId } = (await start(world)).data
    await finishOperations(jobId)
    const { data } = await look(world)
    expect(data).toMatchObject({ state: 'failed', previous: { createTime: first.createTime } })
    expect(JSON.stringify(data)).toContain('Compare fewer people')
    const named = { usernames: [student.username, 'u900001'] }
    expect(await report(world, named)).toMatchObject({ submissionCount: 2 })
  })

  test('is refused for names nobody has and for bad fields, and limited in rate', async () => {
    const world = await createProblem()
    const other = await createCourse()
    const { course, problemId, teacher, student } = world
    expect(await start(world, { usernames: [student.username, 'nobody-here'] })).toMatchObject({
      status: 404,
      code: 'user_not_found',
      data: { unknown: ['nobody-here'] },
    })
    for (const usernames of [[], ['one'], 'all', [1, 2], ['a b', 'c']])
      expect(await start(world, { usernames })).toMatchObject({ status: 400, code: 'bad_body' })
    expect(await start(world, { problemId: 'x' })).toMatchObject({ status: 400 })
    const elsewhere = { course: other.course, problemId }
    expect(await other.teacher.post('/copycat', elsewhere)).toMatchObject({
      status: 404,
      code: 'problem_not_found',
    })
    const path = `/copycat?course=${other.course}&problemId=${problemId}`
    expect(await other.teacher.get(path)).toMatchObject({ status: 404 })
    expect(await teacher.get(`/copycat?course=${course}&problemId=0`)).toMatchObject({
      status: 400,
      code: 'bad_query',
    })
    expect(await look(world)).toMatchObject({ status: 404, code: 'report_not_found' })
    for (let count = 0; count < SEARCH_LIMIT.burst; count += 1) await report(world)
    const refused = await start(world)
    expect(refused).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect((await look(world)).data?.state).toBe('done')
  })

  test('what it left in R2 goes with the sweeper once its job is over', async () => {
    const world = await createProblem()
    const { jobId } = (await start(world)).data
    await env.BUCKET.put(`copycat/${jobId}/0`, 'x')
    const later = Math.floor(Date.now() / 1000) + 86_400
    await adoptBucket(workerEnv, openDb(env.DB))
    await deleteOrphans(workerEnv, openDb(env.DB), later)
    expect(await tokensOf(jobId)).toBe(1)
    const { course, problemId, teacher } = world
    await teacher.delete('/copycat', { course, problemId })
    const marked = later + SWEEP.restSeconds
    await deleteOrphans(workerEnv, openDb(env.DB), marked)
    const weekLater = marked + SWEEP.markedSeconds
    await confirmDeletions(openDb(env.DB), weekLater)
    await deleteOrphans(workerEnv, openDb(env.DB), weekLater)
    expect(await tokensOf(jobId)).toBe(0)
  })
})

test('students learn nothing of reports and of others’ programs, of hidden problems not even that they are there [AZ4]', async () => {
  const world = await createProblem()
  const { course, teacher, student, problemId } = world
  const [copier] = await addStudents(world, 1)
  if (!copier) throw new Error('nobody')
  const left = await submit(student, problemId, PRIMES)
  const right = await submit(copier, problemId, PRIMES)
  await report(world)
  const pair = `/copycat/${problemId}/pair?left=${left}&right=${right}`
  const list = `/copycat?course=${course}&problemId=${problemId}`
  const refused = { status: 403, code: 'forbidden', data: null }
  for (const path of [pair, list]) expect(await student.get(path)).toMatchObject(refused)
  const json = { ...problemForm(), status: 1 }
  await teacher.put(`/problem/manage/${problemId}`, json)
  const hidden = { status: 404, code: 'problem_not_found', data: null }
  expect(await student.get(pair)).toMatchObject(hidden)
  expect(await student.get(list)).toMatchObject(refused)
  expect((await look(world)).data?.state).toBe('done')
})

describe('two programs side by side', () => {
  test('come with their code and the parts they share, the older at the left however it is asked', async () => {
    const world = await createProblem()
    const { student, teacher, problemId } = world
    const [copier, pythonist] = await addStudents(world, 2)
    if (!copier || !pythonist) throw new Error('nobody')
    const left = await submit(student, problemId, `\ufeff// ü 😀\n${PRIMES}`)
    const right = await submit(copier, problemId, PRIMES_DISGUISED)
    const python = await submit(pythonist, problemId, PYTHON_PRIMES, 2)
    const { pairs } = await report(world)
    const pathOf = (a: string, b: string) => `/copycat/${problemId}/pair?left=${a}&right=${b}`
    const answer = await teacher.get(pathOf(right, left))
    const pair = copycatComparison.parse(answer.data)
    expect(pair.left).toMatchObject({ submissionId: left, user: { username: student.username } })
    expect(pair.right.code).toBe(PRIMES_DISGUISED)
    const { similarity, longest, overlap } = pairs[0] ?? {}
    expect(pair).toMatchObject({ similarity, longest, overlap })
    const [first] = pair.fragments
    if (!first) throw new Error('no fragment')
    expect(pair.left.code.slice(first.left.start, first.left.end)).toMatch(/^\w/)
    expect(pair.fragments.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(overlap)
    const apart = await teacher.get(pathOf(left, python))
    expect(apart.data).toMatchObject({ similarity: 0, fragments: [] })
  })

  test('are of this problem only: another’s, unknown and twice the same are 404; bad ids are named', async () => {
    const world = await createProblem()
    const other = await createProblem()
    const { student, teacher, problemId, course } = world
    const own = await submit(student, problemId)
    const foreign = await submit(other.student, other.problemId)
    const second = await teacher.post('/problem/manage', { course, ...problemForm() })
    const path = (left: string, right: string, id: unknown = problemId) =>
      teacher.get(`/copycat/${String(id)}/pair?left=${left}&right=${right}`)
    for (const answer of [
      await path(own, foreign),
      await path(own, own),
      await path(own, '0'.repeat(24)),
      await path(own, foreign, second.data.problemId),
    ])
      expect(answer).toMatchObject({ status: 404, code: 'submission_not_found', data: null })
    expect(await path(own, foreign, other.problemId)).toMatchObject({
      status: 404,
      code: 'problem_not_found',
    })
    expect(await path(own, 'x')).toMatchObject({ status: 400, code: 'bad_query' })
  })
})
