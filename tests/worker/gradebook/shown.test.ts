/** Which marks students see, and that nothing tells of the others. */
import { expect, test } from 'vitest'
import { createBook, markAudit } from '../support/gradebook.ts'
import { handIn, HOUR } from '../support/dated-homework.ts'
import { noticesOf } from '../support/notices.ts'
import { firstValue, runSql } from '../support/sql.ts'
import { setMark } from '../support/stored-marks.ts'
import { addStudents, fetchApi, type Person } from '../support/world.ts'

const ofMarks = async (person: Person) =>
  (await noticesOf(person))
    .filter(({ kind }) => kind === 'marks_shown' || kind === 'mark_changed')
    .map(({ kind, title, subjectId }) => [kind, title, Number(subjectId)])

test('staff show columns, the teacher the total; at closing only homeworks', async () => {
  const world = await createBook()
  const { teacher, ta, student, homeworkColumn, manual, total, course } = world
  const refused = [
    [await world.show(manual, 'atClosing'), 400, 'bad_body'],
    [await world.show(total, 'atClosing', teacher), 400, 'bad_body'],
    [await world.show(total, 'yes'), 404, 'column_not_found'],
    [await world.show(999_999, 'yes'), 404, 'column_not_found'],
    [await world.show((await createBook()).manual, 'yes'), 404, 'column_not_found'],
    [await world.show(manual, 'yes', student), 403, 'forbidden'],
  ] as const
  for (const [answer, status, code] of refused) expect(answer).toMatchObject({ status, code })
  expect(refused[0][0].data).toMatchObject([
    { path: ['shown'], message: 'Only homeworks show at closing; send no or yes' },
  ])
  await runSql`update gradebook_columns set for_assistants = 1 where id = ${total}`
  expect(await world.show(total, 'yes', ta)).toMatchObject({ status: 403, code: 'forbidden' })
  expect((await world.show(total, 'yes', teacher)).status).toBe(200)
  for (const shown of ['atClosing', 'atClosing', 'no', 'yes'])
    expect((await world.show(homeworkColumn, shown)).status).toBe(200)
  const column = world.form.name
  expect(await markAudit(course)).toEqual([
    { action: 'marks.show', course, column: '', before: 'no', after: 'yes' },
    { action: 'marks.show', course, column, before: 'yes', after: 'atClosing' },
    { action: 'marks.show', course, column, before: 'atClosing', after: 'no' },
    { action: 'marks.show', course, column, before: 'no', after: 'yes' },
  ])
  expect(await ofMarks(student)).toEqual([
    ['marks_shown', column, homeworkColumn],
    ['marks_shown', '', total],
  ])
})

test('showing tells everybody whose mark is not held; who hears of it may read it', async () => {
  const world = await createBook()
  const { student, manual, ta, teacher, course } = world
  const [held] = await addStudents(world, 1)
  if (!held) throw new Error('nobody')
  await world.hold(manual, [held])
  await world.show(manual, 'yes')
  const told = ['marks_shown', 'Oral exam', manual]
  expect(await ofMarks(student)).toEqual([told])
  expect(await ofMarks(held)).toEqual([])
  for (const staff of [ta, teacher]) expect(await ofMarks(staff)).toEqual([])
  const mailed = (person: Person) =>
    firstValue`select count(*) from notice_mails where user_id = ${person.id}`
  expect([await mailed(student), await mailed(held)]).toEqual([1, 0])
  // Shown again is no news, hidden again is nobody's.
  await world.show(manual, 'yes')
  expect(await ofMarks(student)).toEqual([told])
  await world.show(manual, 'no')
  expect(await ofMarks(student)).toEqual([])
  // Of a column that is not shown, nobody is told that a mark was let go.
  await world.hold(manual, [held], false)
  expect(await firstValue`select count(*) from notices where user_id = ${held.id}`).toBe(0)
  await world.show(manual, 'yes')
  await world.hold(manual, [held, student])
  expect(await ofMarks(student)).toEqual([])
  await world.hold(manual, [held], false)
  await world.hold(manual, [held], false)
  expect(await firstValue`select count(*) from notices where user_id = ${held.id}`).toBe(1)
  expect((await ofMarks(held)).length).toBeGreaterThan(0)
  const holds = (await markAudit(course)).filter(({ action }) => action !== 'marks.show')
  const entry = (action: string, { username }: Person) => ({
    action,
    course,
    column: 'Oral exam',
    username,
  })
  expect(holds).toHaveLength(5)
  expect(holds).toEqual(
    expect.arrayContaining([
      entry('mark.hold', held),
      entry('mark.hold', student),
      entry('mark.release', held),
    ]),
  )
  const nobody = await ta.put(`${world.book}/${manual}/held`, { usernames: ['nobody'], held: true })
  expect(nobody).toMatchObject({
    status: 404,
    code: 'user_not_found',
    data: { unknown: ['nobody'] },
  })
})

/** A homework with a submission that counts, points for it and for the homework, and late days that gain. */
async function createMarked() {
  const world = await createBook({ scoreboardStatus: 0, scoreboardNames: true })
  const { ta, teacher, student, course, homeworkId, problemId, now, path } = world
  const [classmate] = await addStudents(world, 1)
  if (!classmate) throw new Error('nobody')
  const budget = { id: null, name: 'Days', size: 2, mostEach: 1, spending: 'auto' }
  const budgets = [{ ...budget, movesClosing: false, homeworkIds: [homeworkId] }]
  await teacher.put(`/course/${course}/late-days`, { budgets })
  const submissionId = await handIn(student, problemId, 80, now)
  await handIn(classmate, problemId, 60, now)
  const given = { username: student.username, comment: 'Good idea' }
  await ta.put(`${path}/points`, { ...given, problemId: null, points: 3 })
  const read = async (as: Person) => {
    const [list, one, running, board, table] = await Promise.all([
      as.get(`/course/${course}/homework`),
      as.get(path),
      as.get('/homework'),
      as.get(`${path}/scoreboard`),
      as.get(`/course/${course}/late-days`),
    ])
    const homeworks = [list.data[0], one.data, running.data[0]]
    const own = board.data.own ?? null
    return {
      marks: homeworks.map(({ marks }) => marks[as.username]),
      problems: homeworks.map(({ studentStatus }) => studentStatus[as.username]?.[problemId]),
      own: own && [own.scores, own.sum],
      others: board.data.others.map((row: { scores: unknown; sum: number }) => [
        row.scores,
        row.sum,
      ]),
      gains: table.data.people[0]?.budgets[0]?.uses.map((use: { gain: unknown }) => use.gain),
    }
  }
  return { ...world, classmate, submissionId, read, given }
}

test('what is not shown is in no list, board, page or export; the judge’s score stays', async () => {
  const world = await createMarked()
  const { student, classmate, homeworkColumn, submissionId, problemId, ta, path, read } = world
  const open = await read(student)
  const lateDays = { used: 1, left: 1, asked: 0 }
  const given = { points: 3, comment: 'Good idea', by: ta.username }
  const shown = { sum: 83, excused: false, given, lateDays: { ...lateDays, gain: 8 } }
  for (const mark of open.marks) expect(mark).toMatchObject(shown)
  for (const problem of open.problems)
    expect(problem).toMatchObject({ counted: submissionId, mark: 80, late: { score: 80 } })
  expect(open).toMatchObject({ own: [[80], 83], others: [[[60], 60]], gains: [8] })

  const hidden = { sum: null, excused: false, given: null, lateDays: { ...lateDays, gain: null } }
  const expectHidden = async () => {
    const seen = await read(student)
    for (const mark of seen.marks) expect(mark).toEqual(hidden)
    for (const problem of seen.problems)
      expect(problem).toMatchObject({
        counted: null,
        mark: null,
        given: null,
        kept: false,
        late: { score: 80, submissionIds: [submissionId] },
      })
    expect(seen).toMatchObject({ own: [[null], 0], gains: [null] })
    return seen
  }
  for (const state of ['no', 'atClosing']) {
    await world.show(homeworkColumn, state)
    expect((await expectHidden()).others).toEqual([[[null], 0]])
  }
  const staff = await ta.get(path)
  expect(staff.data.marks[student.username].sum).toBe(83)
  await world.show(homeworkColumn, 'yes')
  await world.hold(homeworkColumn, [student])
  expect((await expectHidden()).others).toEqual([[[60], 60]])
  expect(await read(classmate)).toMatchObject({ own: [[60], 60], others: [[[null], 0]] })

  // Points for the problem are on the submission's page and in the export.
  await ta.put(`${path}/points`, { ...world.given, problemId, points: 90 })
  const page = async (as: Person) => (await as.get(`/submission/${submissionId}`)).data
  const exported = async () => {
    const answer = await fetchApi('GET', '/auth/me/export', { as: student })
    return (await answer.json<{ data: { homeworkPoints: unknown[] } }>()).data.homeworkPoints
  }
  expect(await page(student)).toMatchObject({ given: [], score: 80 })
  expect((await page(ta)).given).toMatchObject([{ points: 90 }])
  expect(await exported()).toEqual([])
  await world.hold(homeworkColumn, [student], false)
  expect((await page(student)).given).toMatchObject([{ points: 90 }])
  expect(await exported()).toHaveLength(2)
})

test('a column that opens at closing is shown by each student’s own dates, on the board when all have closed', async () => {
  const world = await createMarked()
  const { student, classmate, ta, path, now, homeworkColumn } = world
  await world.show(homeworkColumn, 'atClosing')
  // The late day of the budget has passed, too.
  const form = { ...world.form, start: now - 40 * HOUR, end: now - 30 * HOUR, close: now - HOUR }
  await world.teacher.put(path, { ...form, scoreboardStatus: 0, scoreboardNames: true })
  const longer = { username: classmate.username, due: now + HOUR, closes: now + 2 * HOUR }
  expect((await ta.put(`${path}/overrides`, { overrides: [longer] })).status).toBe(200)
  const sumOf = async (as: Person) => (await as.get(path)).data.marks[as.username].sum
  expect([await sumOf(student), await sumOf(classmate)]).toEqual([expect.any(Number), null])
  const board = async () => (await student.get(`${path}/scoreboard`)).data
  expect(await board()).toMatchObject({ own: { sum: 0 }, others: [{ scores: [null], sum: 0 }] })
  await runSql`delete from homework_overrides`
  expect((await board()).own.sum).toBe(await sumOf(student))
})

test('a column that opens at closing waits for the late days that the student may use', async () => {
  const world = await createMarked()
  const { student, teacher, course, path, homeworkId, homeworkColumn, now } = world
  await world.show(homeworkColumn, 'atClosing')
  const seenAfter = async (closed: number, rule: object) => {
    const [end, close] = [now - 2 * HOUR - closed, now - closed]
    await runSql`update homeworks set end_at = ${end}, close_at = ${close} where id = ${homeworkId}`
    const budget = {
      id: null,
      name: 'Days',
      size: 2,
      mostEach: 2,
      spending: 'auto',
      movesClosing: true,
    }
    const budgets = [{ ...budget, homeworkIds: [homeworkId], ...rule }]
    expect((await teacher.put(`/course/${course}/late-days`, { budgets })).status).toBe(200)
    const { status, marks } = (await student.get(path)).data
    const listed = (await student.get(`/course/${course}/marks`)).data.marks
    return [status, marks[student.username].sum !== null, listed.length > 0]
  }
  const [open, over] = [
    ['running', false, false],
    ['over', true, true],
  ]
  expect(await seenAfter(1, {})).toEqual(open)
  expect(await seenAfter(47 * HOUR, {})).toEqual(open)
  expect(await seenAfter(49 * HOUR, {})).toEqual(over)
  expect(await seenAfter(25 * HOUR, { mostEach: 1 })).toEqual(over)
  expect(await seenAfter(25 * HOUR, { size: 1 })).toEqual(over)
  // The due time alone moves, two hours before the closing time.
  expect(await seenAfter(45 * HOUR, { movesClosing: false })).toEqual(open)
  expect(await seenAfter(47 * HOUR, { movesClosing: false })).toEqual(over)
  expect(await seenAfter(1, { spending: 'asked' })).toEqual(over)
  await runSql`insert into asked_late_days (homework_id, user_id, days, asked_at)
    values (${homeworkId}, ${student.id}, 1, ${now})`
  expect(await seenAfter(23 * HOUR, { spending: 'asked' })).toEqual(open)
  expect(await seenAfter(25 * HOUR, { spending: 'asked' })).toEqual(over)
})

test('what staff set in the gradebook is the homework’s mark everywhere', async () => {
  const world = await createMarked()
  const { student, classmate, ta, path, homeworkColumn, read } = world
  await world.set(student, homeworkColumn, 12.5)
  await world.set(classmate, homeworkColumn, null, { excused: true })
  const seen = await read(student)
  for (const mark of seen.marks) expect(mark).toMatchObject({ sum: 12.5, excused: false })
  expect(seen).toMatchObject({ own: [[80], 12.5], others: [[[null], 0]] })
  expect((await ta.get(path)).data.marks[classmate.username]).toMatchObject({
    sum: null,
    excused: true,
  })
  await world.set(student, homeworkColumn, null)
  expect((await read(student)).marks[0]).toMatchObject({ sum: 83 })
})

test('the export has what staff set last in a shown mark, and none of what they set before', async () => {
  const { student, ta, manual, show, hold, now } = await createBook()
  await show(manual, 'yes')
  await hold(manual, [student])
  await setMark(ta, student, manual, 100, 'Copied?', now)
  await setMark(ta, student, manual, 900, 'Own work', now)
  await hold(manual, [student], false)
  const { markSettings } = (await student.get('/auth/me/export')).data
  expect(markSettings).toMatchObject([{ hundredths: 900, reason: 'Own work' }])
})
