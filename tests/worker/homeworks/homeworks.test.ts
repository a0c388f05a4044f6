import { beforeEach, describe, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { plainRules } from '../support/dates.ts'
import { emptyQueue, judgeAll } from '../support/judge.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { runSql } from '../support/sql.ts'
import {
  addMember,
  call,
  createCourse,
  createPerson,
  createProblem,
  fetchApi,
  FITTING_ENTRIES,
  problemForm,
  registerRunner,
  submit,
  uniqueName,
  uploadZip,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

/** A running homework of a course, from some seconds ago to some seconds ahead. */
async function createHomework(
  as: Person,
  course: string,
  problemIds: number[],
  { before = 100, after = 1000 } = {},
): Promise<string> {
  const now = nowSeconds()
  const json = {
    name: uniqueName('Homework '),
    courseName: course,
    start: now - before,
    end: now + after,
    problemIds,
  }
  const made = await as.post('/homework', json)
  if (made.status !== 200) throw new Error(`no homework: ${made.message}`)
  return made.data.id
}

async function moveHomework(id: string, start: number, end: number): Promise<void> {
  await runSql`update homeworks set start_at = ${start}, end_at = ${end} where id = ${id}`
}

describe('writing homeworks', () => {
  test('a homework is created with its defaults, read, changed and deleted', async () => {
    const { course, ta, student, problemId } = await createProblem()
    const now = nowSeconds()
    const form = { name: 'First', start: now - 10, end: now + 10 }
    const made = await ta.post('/homework', { ...form, courseName: course })
    expect(made.data.id).toMatch(/^[0-9a-f]{24}$/)
    const path = `/homework/${made.data.id}`
    expect((await student.get(path)).data).toEqual({
      ...form,
      id: made.data.id,
      course,
      ...plainRules(form, { [student.username]: 0 }),
      markdown: '',
      problemIds: [],
      problems: [],
      points: [],
      scoreboardStatus: 1,
      scoreboardNames: false,
      status: 'running',
      studentStatus: {},
    })
    const changed = { ...form, name: 'Second', markdown: '# Text', problemIds: [problemId] }
    expect((await student.put(path, changed)).status).toBe(403)
    expect((await ta.put(path, changed)).status).toBe(200)
    expect((await student.get(path)).data).toMatchObject(changed)
    expect((await student.delete(path)).status).toBe(403)
    expect((await ta.delete(path)).status).toBe(200)
    expect((await student.get(path)).code).toBe('homework_not_found')
    expect((await student.get(`/problem/${problemId}`)).status).toBe(200)
  })

  test.each([
    ['an end before its start', { end: 5 }, ['end']],
    ['a problem named twice', { problemIds: [1, 1] }, ['problemIds']],
    ['a blank name', { name: ' ' }, ['name']],
  ])('%s is refused by field', async (_title, changes, path) => {
    const { course, ta } = await createCourse()
    const form = { name: 'H', courseName: course, start: 10, end: 20, ...changes }
    const answer = await ta.post('/homework', form)
    expect(answer).toMatchObject({ status: 400, data: [{ path }] })
  })

  test('names are unique in a course, problems must be its own, and nothing is half stored', async () => {
    const { course, ta, problemId } = await createProblem()
    const foreign = await createProblem()
    const first = await createHomework(ta, course, [problemId])
    const { name } = (await ta.get(`/homework/${first}`)).data
    const second = await createHomework(ta, course, [problemId])
    const form = { name: 'Other', start: 1, end: 2, problemIds: [problemId] }
    const put = (changes: object) => ta.put(`/homework/${second}`, { ...form, ...changes })
    expect((await put({ name })).code).toBe('homework_exists')
    const alien = { problemIds: [problemId, foreign.problemId] }
    expect(await put(alien)).toMatchObject({ status: 404, data: { unknown: [foreign.problemId] } })
    expect((await put({ courseName: foreign.course, name: 'Stays' })).status).toBe(200)
    const read = await ta.get(`/homework/${second}`)
    expect(read.data).toMatchObject({ name: 'Stays', course, problemIds: [problemId] })
    expect((await ta.post('/homework', { ...form, courseName: course, ...alien })).status).toBe(404)
    expect((await ta.get(`/course/${course}/homework`)).data).toHaveLength(2)
  })

  test('a stale edit changes neither the text nor the problems', async () => {
    const { course, ta, teacher, problemId } = await createProblem()
    const id = await createHomework(ta, course, [problemId])
    const path = `/homework/${id}`
    const headers = { 'If-Match': (await ta.get(path)).headers.get('ETag') ?? '' }
    const form = { name: 'Edited', start: 1, end: 2, problemIds: [problemId] }
    expect((await teacher.put(path, form, headers)).status).toBe(200)
    const stale = { ...form, problemIds: [] }
    expect((await ta.put(path, stale, headers)).code).toBe('stale_edit')
    expect((await ta.delete(path, undefined, headers)).code).toBe('stale_edit')
    expect((await ta.get(path)).data.problemIds).toEqual([problemId])
    expect((await ta.put(path, stale)).status).toBe(200)
  })

  test('another course’s homework does not exist', async () => {
    const { course, ta, problemId } = await createProblem()
    const { teacher: stranger } = await createCourse()
    const path = `/homework/${await createHomework(ta, course, [problemId])}`
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(
        await call(method, path, { as: stranger, json: method === 'GET' ? undefined : {} }),
      ).toMatchObject({ status: 404, code: 'homework_not_found' })
  })
})

describe('progress', () => {
  test('students see their own, staff everyone’s; what came late is kept apart', async () => {
    const { course, teacher, ta, student, problemId } = await createProblem()
    const other = await createCourse()
    await addMember({ course, teacher }, other.student)
    const id = await createHomework(ta, course, [problemId])
    const token = await registerRunner()
    const inTime = await submit(student, problemId)
    const failed = await submit(other.student, problemId)
    const now = nowSeconds()
    await moveHomework(id, now - 1000, now - 500)
    await runSql`update submissions set accepted_at = ${now - 600}
      where id in (${inTime}, ${failed})`
    await judgeAll(token, STATUS.WA)
    const late = await submit(student, problemId)
    await judgeAll(token, STATUS.AC)

    const own = {
      score: 0,
      problemStatus: STATUS.WA,
      submissionIds: [inTime],
      bestId: inTime,
      late: { score: 100, submissionIds: [late], bestId: late },
      counted: inTime,
      mark: 0,
      kept: false,
      given: null,
    }
    const theirs = {
      ...own,
      submissionIds: [failed],
      bestId: failed,
      late: null,
      counted: failed,
    }
    const asStudent = await student.get(`/homework/${id}`)
    expect(asStudent.data).toMatchObject({ status: 'over' })
    expect(asStudent.data.studentStatus).toEqual({ [student.username]: { [problemId]: own } })
    const everyone = {
      [student.username]: { [problemId]: own },
      [other.student.username]: { [problemId]: theirs },
    }
    for (const as of [teacher, ta]) {
      expect((await as.get(`/homework/${id}`)).data.studentStatus).toEqual(everyone)
      const list = await as.get(`/course/${course}/homework`)
      expect(list.data[0].studentStatus).toEqual(everyone)
    }
  })

  test('what was handed in before the start does not count', async () => {
    const { course, ta, student, problemId } = await createProblem()
    const early = await submit(student, problemId)
    const id = await createHomework(ta, course, [problemId], { before: -1 })
    await runSql`update submissions set accepted_at = accepted_at - 100 where id = ${early}`
    await judgeAll(await registerRunner())
    const now = nowSeconds()
    await moveHomework(id, now, now + 100)
    expect((await student.get(`/homework/${id}`)).data.studentStatus).toEqual({})
  })

  test('is the best in time, of a history in any order; what came late stands beside it', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const id = await createHomework(teacher, course, [problemId])
    await submit(student, problemId)
    await moveHomework(id, 10, 20)
    const idOf = (letter: string) => letter.repeat(24)
    const progressOf = async (...history: [string, number, number, number][]) => {
      const attempts = Object.fromEntries(history.map(([key, ...attempt]) => [key, attempt]))
      await runSql`update problem_results set attempts = ${JSON.stringify(attempts)}
        where problem_id = ${problemId}`
      const { studentStatus } = (await teacher.get(`/homework/${id}`)).data
      return studentStatus[student.username]?.[problemId]
    }
    const failed: [string, number, number, number] = [idOf('c'), 20, STATUS.WA, 10]
    const late: [string, number, number, number] = [idOf('e'), 21, STATUS.AC, 100]
    expect(
      await progressOf(
        [idOf('f'), 30, STATUS.PENDING, 0],
        failed,
        late,
        [idOf('b'), 10, STATUS.AC, 60],
        [idOf('a'), 9, STATUS.AC, 100],
      ),
    ).toEqual({
      score: 60,
      problemStatus: STATUS.AC,
      submissionIds: [idOf('b'), idOf('c')],
      bestId: idOf('b'),
      late: { score: 100, submissionIds: [idOf('e'), idOf('f')], bestId: idOf('e') },
      counted: idOf('b'),
      mark: 60,
      kept: false,
      given: null,
    })
    const equals = await progressOf(
      [idOf('c'), 15, STATUS.AC, 60],
      [idOf('b'), 12, STATUS.WA, 60],
      [idOf('a'), 11, STATUS.WA, 0],
      [idOf('f'), 23, STATUS.WA, 0],
      [idOf('e'), 22, STATUS.WA, 0],
    )
    expect(equals).toMatchObject({ score: 60, bestId: idOf('b'), late: { bestId: idOf('e') } })
    const zeros = await progressOf([idOf('c'), 12, STATUS.CE, 0], [idOf('b'), 11, STATUS.WA, 0])
    expect(zeros).toMatchObject({ bestId: idOf('b'), problemStatus: STATUS.CE })
    const pending = await progressOf([idOf('d'), 15, STATUS.PENDING, 0], failed)
    expect(pending).toMatchObject({ score: 10, bestId: idOf('c'), late: null })
    expect(pending.problemStatus).toBe(STATUS.PENDING)
    const allLate = await progressOf(late)
    expect(allLate).toMatchObject({ score: 0, problemStatus: null, bestId: null })
    expect(allLate.submissionIds).toEqual([])
    expect(await progressOf([idOf('a'), 9, STATUS.AC, 100])).toBeUndefined()
  })

  test('costs a row for each person and problem, however often they have tried', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const id = await createHomework(teacher, course, [problemId])
    const paths = [`/homework/${id}`, `/course/${course}/homework`]
    const rowsRead = async () => {
      const counts = []
      for (const path of paths)
        for (const as of [teacher, student])
          counts.push((await recordCall('GET', path, { as })).trips.at(-1)?.rowsRead ?? 0)
      return counts
    }
    await submit(student, problemId)
    const once = await rowsRead()
    expect(Math.min(...once)).toBeGreaterThan(0)
    for (let count = 0; count < 10; count += 1) await submit(student, problemId)
    expect(await rowsRead()).toEqual(once)
    const { studentStatus } = (await teacher.get(`/homework/${id}`)).data
    expect(studentStatus[student.username][problemId].submissionIds).toHaveLength(11)
  })
})

describe('before a homework starts', () => {
  test('students find nothing of its text and problems, in no list, search, statistic, error or tag [AZ4]', async () => {
    const { course, ta, student } = await createCourse()
    const problemName = uniqueName('Secret ')
    const made = await ta.post('/problem/manage', {
      course,
      ...problemForm({ problemName, tags: ['secret'] }),
    })
    const { problemId } = made.data
    const id = await createHomework(ta, course, [problemId], { before: -500 })
    await ta.put(`/homework/${id}`, {
      name: 'Later',
      start: nowSeconds() + 500,
      end: nowSeconds() + 900,
      markdown: problemName,
      problemIds: [problemId],
    })
    const one = await student.get(`/homework/${id}`)
    expect(one.data).toMatchObject({ status: 'not-started', problemIds: [], markdown: '' })
    expect(one.headers.get('ETag')).not.toMatch(/^"v\d/)
    const paths = [
      `/homework/${id}`,
      `/course/${course}/homework`,
      `/problem?course=${course}`,
      `/problem?course=${course}&tags=secret`,
      `/problem?course=${course}&name=${encodeURIComponent(problemName)}`,
      `/problem/${problemId}`,
      `/problem/${problemId}/stats`,
      `/problem/${problemId}/testcase`,
      `/submission?course=${course}&problemId=${problemId}`,
    ]
    for (const path of paths) {
      const answer = await student.get(path)
      expect(JSON.stringify(answer), path).not.toContain(problemName)
      expect(JSON.stringify(answer.data ?? null), path).not.toContain(`"problemId":${problemId}`)
    }
    const json = { problemId, languageType: 0, code: 'x' }
    const refused = await student.post('/submission', json)
    const missing = await student.post('/submission', { ...json, problemId: 999_999 })
    expect([refused.status, refused.message]).toEqual([missing.status, missing.message])
  })

  test('a problem is held back though a homework that is over had it, and not while another one runs', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const now = nowSeconds()
    const homework = async (start: number, end: number) => {
      const id = await createHomework(teacher, course, [problemId])
      await runSql`update homeworks set start_at = ${now + start}, end_at = ${now + end} where id = ${id}`
    }
    await homework(-900, -500)
    expect((await student.get(`/problem/${problemId}`)).status).toBe(200)
    await homework(500, 900)
    expect((await student.get(`/problem/${problemId}`)).status).toBe(404)
    await homework(-500, 400)
    expect((await student.get(`/problem/${problemId}`)).status).toBe(200)
  })

  test('a visible problem is held back wherever a student could reach it, and is there for staff', async () => {
    const { course, teacher, ta, student, problemId } = await createProblem()
    const before = problemId
    const make = async () =>
      (await teacher.post('/problem/manage', { course, ...problemForm() })).data.problemId
    const [held, behind] = [await make(), await make()]
    for (const id of [held, behind]) await uploadZip(teacher, id, FITTING_ENTRIES)
    const form = new FormData()
    form.set('file', new File(['%PDF-1.7'], 'statement.pdf'))
    const { fileId } = (await call('POST', `/problem/${held}/file`, { as: teacher, body: form }))
      .data
    const over = await createHomework(teacher, course, [before, held, behind])
    await moveHomework(over, 10, 20)
    await runSql`update homeworks set scoreboard_status = 0 where id = ${over}`
    const program = { problemId: held, languageType: 0 }
    const claimed = (await student.post('/submission', program)).data.submissionId
    const later = await createHomework(teacher, course, [held], { before: -500 })
    const code = new FormData()
    code.set('code', new File(['int main(){}'], 'main.c'))
    const run = { languageType: 0, code: 'int main(){}', inputs: ['1'] }
    const attempts = (as: Person) => ({
      page: as.get(`/problem/${held}`),
      statistics: as.get(`/problem/${held}/stats`),
      file: fetchApi('GET', `/file/${fileId}`, { as }),
      'sample run': as.post(`/problem/${held}/run`, run),
      question: as.post(`/problem/${held}/questions`, { markdown: 'Why?' }),
      'hand-in': as.post('/submission', { ...program, code: 'int main(){}' }),
      'first of two steps': as.post('/submission', program),
    })
    const statusesOf = async (as: Person) =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(attempts(as)).map(async ([way, answer]) => [way, (await answer).status]),
        ),
      )
    const everywhere = (status: number) =>
      Object.fromEntries(Object.keys(attempts(ta)).map((way) => [way, status]))
    expect(await statusesOf(student)).toEqual(everywhere(404))
    expect(await statusesOf(ta)).toEqual(everywhere(200))
    const second = await call('PUT', `/submission/${claimed}`, { as: student, body: code })
    expect(second.code).toBe('submission_not_found')
    const namedTo = async (as: Person) => ({
      list: (await as.get(`/problem?course=${course}`)).data.items.map(
        (item: { problemId: number }) => item.problemId,
      ),
      ended: (await as.get(`/homework/${over}`)).data.problemIds,
      'not begun': (await as.get(`/homework/${later}`)).data.problemIds,
      board: (await as.get(`/homework/${over}/scoreboard`)).data.problemIds,
      next: (await as.get(`/problem/${before}`)).data.neighbours.next.problemId,
      previous: (await as.get(`/problem/${behind}`)).data.neighbours.previous.problemId,
    })
    expect(await namedTo(student)).toEqual({
      list: [before, behind],
      ended: [before, behind],
      'not begun': [],
      board: [before, behind],
      next: behind,
      previous: before,
    })
    expect(await namedTo(ta)).toMatchObject({
      list: [before, held, behind],
      ended: [before, held, behind],
      'not begun': [held],
      next: held,
      previous: held,
    })
    await teacher.delete(`/homework/${over}`)
    expect((await student.get(`/problem/${before}`)).data.neighbours.next.problemId).toBe(behind)
    await moveHomework(later, 10, nowSeconds() + 900)
    expect(await statusesOf(student)).toEqual(everywhere(200))
  })

  test('a hidden problem of a running homework stays hidden, its id included', async () => {
    const { course, ta, student } = await createCourse()
    const made = await ta.post('/problem/manage', { course, ...problemForm({ status: 1 }) })
    const id = await createHomework(ta, course, [made.data.problemId])
    const asStudent = await student.get(`/homework/${id}`)
    expect(asStudent.data.problemIds).toEqual([])
    expect((await ta.get(`/homework/${id}`)).data.problemIds).toEqual([made.data.problemId])
    const hidden = await student.get(`/problem/${made.data.problemId}/stats`)
    const missing = await student.get('/problem/999999/stats')
    expect([hidden.status, hidden.data, hidden.message]).toEqual([404, null, missing.message])
  })
})

describe('what is due next', () => {
  test('is what runs now in one’s own courses, due first first, with one’s own progress alone', async () => {
    const { course, teacher, ta, student, problemId } = await createProblem()
    const later = await createHomework(teacher, course, [problemId], { after: 2000 })
    const sooner = await createHomework(teacher, course, [problemId], { after: 50 })
    await moveHomework(await createHomework(teacher, course, [problemId]), 1, 2)
    await createHomework(teacher, course, [problemId], { before: -50 })
    const other = await createProblem()
    await createHomework(other.teacher, other.course, [other.problemId])
    await submit(ta, problemId)
    const submissionId = await submit(student, problemId)
    await judgeAll(await registerRunner())
    const dueOf = async (as: Person) => (await as.get('/homework')).data
    const own = await dueOf(student)
    expect(own.map(({ id }: { id: string }) => id)).toEqual([sooner, later])
    expect(own[0]).toMatchObject({ course, status: 'running', problemIds: [problemId] })
    expect(own[0]).not.toHaveProperty('markdown')
    expect(Object.keys(own[0].studentStatus)).toEqual([student.username])
    expect(own[0].studentStatus[student.username][problemId].submissionIds).toEqual([submissionId])
    expect(Object.keys((await dueOf(ta))[0].studentStatus)).toEqual([ta.username])
    expect((await dueOf(teacher)).map(({ id }: { id: string }) => id)).toEqual([sooner, later])
    expect(await dueOf(await createPerson(0))).toEqual([])
    await teacher.delete('/course', { course })
    expect(await dueOf(student)).toEqual([])
  })
})
