/** The marks of a student as the student sees them, and as staff look at them. */
import { expect, test } from 'vitest'
import { createMarkedBook } from '../support/gradebook.ts'
import { SET, lateDerivation, setMark, showMarks, storeMark } from '../support/stored-marks.ts'
import { HOUR } from '../support/dated-homework.ts'
import { allRows, runSql } from '../support/sql.ts'
import { addStudents, createCourse, createPerson, type Person } from '../support/world.ts'

type World = Awaited<ReturnType<typeof createMarkedBook>>

/** The gradebook with 72 points in the homework and a total. */
async function createMarked() {
  const world = await createMarkedBook()
  const { student, columns } = world
  await storeMark(student, columns.total, { hundredths: 4_320 })
  return world
}

const ownMarks = async ({ course, student }: World, as: Person = student) => {
  const path = as === student ? '' : `/${student.username}`
  return (await as.get(`/course/${course}/marks${path}`)).data
}

/** Changes the mark in the oral exam, what staff set there and the reason. */
async function examine({ ta, student, columns, now }: World, hundredths: number) {
  await storeMark(student, columns.oral, { hundredths, derivation: SET })
  await setMark(ta, student, columns.oral, hundredths, `Secret ${hundredths}`, now)
}

test('a student reads the marks that are shown, with what explains them', async () => {
  const world = await createMarked()
  const { student, columns, groups, form, problemId } = world
  const marks = await ownMarks(world)
  expect(marks).toMatchObject({
    user: { username: student.username },
    groups: [
      { id: groups.homeworks, name: 'Homeworks', weight: 60, dropLowest: 0, capPercent: 100 },
      { id: groups.exam, name: 'Exam', weight: 40, dropLowest: 0, capPercent: 100 },
    ],
    total: null,
    reachable: null,
    hidden: [],
  })
  expect(marks.marks).toMatchObject([
    {
      column: { id: columns.homework, name: form.name },
      points: 72,
      problems: [{ problemId, name: 'A plus B' }],
      part: null,
    },
  ])
})

test('staff see exactly what the student sees, and the audit log keeps each look', async () => {
  const world = await createMarked()
  const { course, ta, teacher, student, columns } = world
  await showMarks(columns.total, 'yes')
  await examine(world, 1_500)
  const own = await ownMarks(world)
  expect(own.marks).toHaveLength(2)
  expect(own.marks[0].part).not.toBeNull()
  // Assistants see totals only if the settings say so.
  const seen = await ownMarks(world, ta)
  expect([seen.total, seen.reachable]).toEqual([null, null])
  expect(seen.marks.map(({ column }: { column: { kind: string } }) => column.kind)).toEqual([
    'homework',
  ])
  expect(JSON.stringify(seen.marks)).not.toContain('to the total')
  await runSql`update gradebook_columns set for_assistants = 1 where id = ${columns.total}`
  expect(await ownMarks(world, ta)).toEqual(own)
  expect(await ownMarks(world, teacher)).toEqual(own)
  const looks = await allRows`select actor_id, detail from audit_entries
    where action = 'marks.view' and subject = ${course} order by id`
  const detail = JSON.stringify({ course, username: student.username })
  expect(looks).toEqual([
    { actor_id: ta.id, detail },
    { actor_id: ta.id, detail },
    { actor_id: teacher.id, detail },
  ])
})

test('the audit log forgets whose marks staff looked at when the account is erased', async () => {
  const world = await createMarked()
  const { course, ta, student } = world
  await ownMarks(world, ta)
  const admin = await createPerson(0)
  expect((await admin.delete(`/user/${student.username}`)).status).toBe(200)
  const looks = await allRows`select actor_id, detail from audit_entries
    where action = 'marks.view' and subject = ${course}`
  expect(looks).toEqual([{ actor_id: ta.id, detail: '{}' }])
})

test('a mark that is not shown changes nothing on the page', async () => {
  const world = await createMarked()
  const { student, columns, homeworkId, ta, now } = world
  const before = await ownMarks(world)
  await examine(world, 1_500)
  expect(await ownMarks(world)).toEqual(before)
  await runSql`insert into held_marks values (${columns.homework}, ${student.id})`
  const held = await ownMarks(world)
  expect([held.marks, held.hidden]).toEqual([[], [world.form.name]])
  await runSql`insert into staff_points (homework_id, user_id, problem_id, hundredths, comment, giver_id, given_at)
    values (${homeworkId}, ${student.id}, null, 100, 'Secret', ${ta.id}, ${now})`
  await storeMark(student, columns.homework, { hundredths: null, isExcused: true })
  await setMark(ta, student, columns.homework, 500, 'Secret', now)
  expect(await ownMarks(world)).toEqual(held)
})

test('points for a problem that students no longer see are for staff', async () => {
  const world = await createMarkedBook()
  const { course, student, ta, homeworkId, problemId, columns, now } = world
  for (const [problem, comment] of [
    [problemId, 'Well done'],
    [null, 'Good idea'],
  ])
    await runSql`insert into staff_points (homework_id, user_id, problem_id, hundredths, comment, giver_id, given_at)
      values (${homeworkId}, ${student.id}, ${problem}, 300, ${comment}, ${ta.id}, ${now})`
  const commentsOf = (mark: { given: { comment: string }[] }) =>
    mark.given.map(({ comment }) => comment).toSorted()
  const own = async () => commentsOf((await ownMarks(world)).marks[0])
  const derivation = lateDerivation(problemId, now)
  await storeMark(student, columns.homework, { hundredths: 7_200, derivation })
  expect(await own()).toEqual(['Good idea', 'Well done'])
  // So is the mark computed when the problem is hidden, deleted or taken out of the homework.
  await runSql`update problems set status = 1 where id = ${problemId}`
  const without = { ...derivation, problems: [], added: 300 }
  await storeMark(student, columns.homework, { hundredths: 300, derivation: without })
  expect(await own()).toEqual(['Good idea'])
  const cell = await ta.get(`/course/${course}/gradebook/${columns.homework}/${student.username}`)
  expect(commentsOf(cell.data)).toEqual(['Good idea', 'Well done'])
})

test('under a shown total, hidden marks change nothing', async () => {
  const world = await createMarked()
  const { student, columns, now } = world
  await showMarks(columns.total, 'yes')
  const before = await ownMarks(world)
  await examine(world, 1_500)
  await storeMark(student, columns.total, { hundredths: 7_320 })
  expect(await ownMarks(world)).toEqual(before)
  expect(before.marks[1]).toMatchObject({
    points: 43.2,
    sentences: [
      'Homeworks adds 43.2 of 60 points.',
      'Together that is 43.2 of 100 points.',
      'Marks that are not shown yet count 0 here.',
    ],
    parts: [{ columnId: columns.homework, points: 43.2 }],
    groups: [{ name: 'Homeworks' }],
    isPartial: true,
  })
  expect(JSON.stringify(await ownMarks(world))).not.toMatch(/Oral|Secret/)
  // An excused hidden mark gives its share to others, which must not show either.
  await storeMark(student, columns.oral, { hundredths: null, isExcused: true })
  await setMark(world.ta, student, columns.oral, null, 'Secret', now)
  await storeMark(student, columns.total, { hundredths: 7_320 })
  expect(await ownMarks(world)).toEqual(before)
})

test('marks that show at closing are named until the homework has closed for the student', async () => {
  const world = await createMarked()
  const { columns, form, homeworkId, now } = world
  await showMarks(columns.homework, 'atClosing')
  expect(await ownMarks(world)).toMatchObject({ marks: [], hidden: [form.name] })
  await runSql`update homeworks set close_at = ${now - 60} where id = ${homeworkId}`
  await runSql`delete from stale_marks where user_id = ${world.student.id}`
  expect(await ownMarks(world)).toMatchObject({ marks: [{ points: 72 }], hidden: [] })
})

test('a homework that has not opened for the student is not named', async () => {
  const world = await createMarked()
  const { student, teacher, columns, homeworkId, now } = world
  await runSql`insert into homework_overrides (homework_id, user_id, opens, reason, setter_id, set_at)
    values (${homeworkId}, ${student.id}, ${now + HOUR}, '', ${teacher.id}, 0)`
  await runSql`delete from stale_marks where user_id = ${student.id}`
  expect(await ownMarks(world)).toMatchObject({ marks: [], hidden: [] })
  await showMarks(columns.homework, 'no')
  expect(await ownMarks(world)).toMatchObject({ marks: [], hidden: [] })
})

test('the most that can be reached counts in full what is still open', async () => {
  const world = await createMarked()
  const { course, teacher, student, columns, homeworkId, problemId, now } = world
  await showMarks(columns.total, 'yes')
  await showMarks(columns.oral, 'yes')
  const reachable = async () => {
    await runSql`delete from stale_marks where user_id = ${student.id}`
    return (await ownMarks(world)).reachable
  }
  expect(await reachable()).toBe(100)
  await runSql`update homeworks set close_at = ${now - 60} where id = ${homeworkId}`
  // 60 × 0.72 + 40.
  expect(await reachable()).toBe(83.2)
  await storeMark(student, columns.oral, { hundredths: 1_000, derivation: SET })
  expect(await reachable()).toBe(63.2)
  // A late day keeps it open.
  const lateDays = { id: null, name: 'Days', size: 1, mostEach: 1, spending: 'auto' }
  const budgets = [{ ...lateDays, movesClosing: true, homeworkIds: [homeworkId] }]
  await teacher.put(`/course/${course}/late-days`, { budgets })
  expect(await reachable()).toBe(80)
  await teacher.put(`/course/${course}/late-days`, { budgets: [] })
  expect(await reachable()).toBe(63.2)
  await runSql`update homeworks set close_at = ${now + HOUR} where id = ${homeworkId}`
  expect(await reachable()).toBe(80)
  const derivation = { ...lateDerivation(problemId, now), isSet: true }
  await storeMark(student, columns.homework, { hundredths: 7_200, derivation })
  expect(await reachable()).toBe(63.2)
})

test('a shown total names its maximum and rounding', async () => {
  const world = await createMarked()
  await showMarks(world.columns.total, 'yes')
  await runSql`update gradebook_columns set max = 20000, decimals = 1 where id = ${world.columns.total}`
  await runSql`delete from stale_marks where user_id = ${world.student.id}`
  expect(await ownMarks(world)).toMatchObject({
    total: { outOf: 200, decimals: 1, max: 200 },
    reachable: 200,
    marks: [{ part: { share: 120, points: 86.4 } }, { column: { max: 200 } }],
  })
})

test('staff have no marks, a student of a closed course reads theirs, and others are not found', async () => {
  const world = await createMarked()
  const { course, teacher, ta, student } = world
  const own = await ownMarks(world)
  expect((await ta.get(`/course/${course}/marks`)).data).toEqual({
    user: { username: ta.username, displayedName: `The ${ta.username}`, role: 2 },
    marks: [],
    groups: [],
    total: null,
    reachable: null,
    hidden: [],
  })
  await runSql`update courses set closed_at = 1 where name = ${course}`
  expect(await ownMarks(world)).toEqual(own)
  const [other] = await addStudents(await createCourse(), 1)
  const read = async (username = '') =>
    (await teacher.get(`/course/${course}/marks/${username}`)).code
  expect([await read(ta.username), await read(other?.username)]).toEqual([
    'user_not_found',
    'user_not_found',
  ])
  expect((await student.get(`/course/${course}/marks/${student.username}`)).code).toBe('forbidden')
})
