/** A mark with its derivation, for staff. */
import { expect, test } from 'vitest'
import { createMarkedBook, createWeightedBook } from '../support/gradebook.ts'
import { SET, lateDerivation, setMark, showMarks, storeMark } from '../support/stored-marks.ts'
import { formatTime } from '#contract/time-text'
import { runSql } from '../support/sql.ts'
import { addStudents, createCourse, type Person } from '../support/world.ts'

type World = Awaited<ReturnType<typeof createMarkedBook>>

/** The gradebook with 72 points in the homework, 15 in the oral exam, and the total of them. */
async function createMarked() {
  const world = await createMarkedBook()
  const { student, columns } = world
  await storeMark(student, columns.oral, { hundredths: 1_500, derivation: SET })
  await storeMark(student, columns.total, { hundredths: 7_320 })
  return world
}

const readCell = (
  { course }: Pick<World, 'course'>,
  as: Person,
  columnId: number | null,
  { username }: Pick<Person, 'username'>,
) => as.get(`/course/${course}/gradebook/${columnId}/${username}`)

test('the mark of a homework has names, sentences, its part of the total and its question', async () => {
  const world = await createMarked()
  const { teacher, ta, student, columns, groups, homeworkId, problemId, form, now, courseId } =
    world
  await runSql`insert into staff_points (homework_id, user_id, problem_id, hundredths, comment, giver_id, given_at)
    values (${homeworkId}, ${student.id}, null, 100, 'Bonus', ${ta.id}, ${now})`
  const ask = (
    id: string,
  ) => runSql`insert into questions (id, course_id, column_id, student_id, state, unread, created_at, updated_at)
    values (${id}, ${courseId}, ${columns.homework}, ${student.id}, 'open', 1, ${now}, ${now})`
  await ask('1'.repeat(24))
  await ask('2'.repeat(24))
  const derivation = { ...lateDerivation(problemId, now), added: 100 }
  await storeMark(student, columns.homework, { hundredths: 7_300, derivation })
  const { data } = await readCell(world, teacher, columns.homework, student)
  const part = {
    columnId: columns.homework,
    groupId: groups.homeworks,
    name: form.name,
    fate: 'counts',
    share: 60,
    points: 43.8,
  }
  expect(data).toEqual({
    column: {
      id: columns.homework,
      kind: 'homework',
      homeworkId,
      name: form.name,
      max: 100,
      groupId: groups.homeworks,
      weight: null,
      extra: false,
      shown: 'yes',
    },
    user: { username: student.username, displayedName: `The ${student.username}`, role: 2 },
    points: 73,
    excused: false,
    // Staff do not read what is only stored.
    derivation: { ...derivation, settled: undefined },
    problems: [{ problemId, name: 'A plus B' }],
    given: [{ problemId: null, points: 1, comment: 'Bonus', by: ta.username, at: now }],
    setting: null,
    why: null,
    sentences: [
      expect.stringMatching(/^A plus B: try 7 counts, handed in at \d{4}-\d\d-\d\d \d\d:\d\d\.$/),
      'It has 80 points and came 1 hour late: 80 × 0.9 = 72 of 100.',
      'Staff added 1 points to the homework: “Bonus”.',
      'Together that is 73 of 100 points.',
      'It adds 43.8 of 60 points to the total.',
    ],
    part,
    parts: [],
    groups: [],
    isPartial: false,
    questionId: '2'.repeat(24),
    history: [],
    held: false,
  })
})

test('times in sentences are those of the course’s clocks', async () => {
  const world = await createMarked()
  const { teacher, student, columns, course, now } = world
  await runSql`update courses set time_zone = 'Asia/Taipei' where name = ${course}`
  const { sentences } = (await readCell(world, teacher, columns.homework, student)).data
  expect(sentences[0]).toContain(formatTime(now, 'Asia/Taipei'))
})

test('the history has all settings, the newest first; one that was taken back is none', async () => {
  const world = await createMarked()
  const { ta, teacher, student, columns, now } = world
  await setMark(ta, student, columns.oral, 1_500, 'Good answers', now)
  await setMark(teacher, student, columns.oral, 1_750, '', now + 1)
  const read = async () => (await readCell(world, ta, columns.oral, student)).data
  const newest = { points: 17.5, excused: false, reason: '', by: teacher.username, at: now + 1 }
  const oldest = { points: 15, excused: false, reason: 'Good answers', by: ta.username, at: now }
  expect(await read()).toMatchObject({ setting: newest, history: [newest, oldest] })
  await setMark(ta, student, columns.oral, null, 'A mistake', now + 2)
  const { setting, history } = await read()
  expect([setting, history.length]).toEqual([null, 3])
  await runSql`insert into held_marks values (${columns.oral}, ${student.id})`
  expect(await read()).toMatchObject({ held: true })
})

test('an excused mark has the reason of the dates', async () => {
  const world = await createMarked()
  const { teacher, student, columns, homeworkId } = world
  await runSql`insert into homework_overrides (homework_id, user_id, excused, reason, setter_id, set_at)
    values (${homeworkId}, ${student.id}, 1, 'Ill', ${teacher.id}, 0)`
  const derivation = { ...SET, isSet: false, excusedBy: 'dates' as const }
  await storeMark(student, columns.homework, { hundredths: null, isExcused: true, derivation })
  expect((await readCell(world, teacher, columns.homework, student)).data).toMatchObject({
    points: null,
    excused: true,
    why: 'Ill',
    sentences: ['Staff excused this mark: “Ill”.', 'The total leaves it out.'],
    part: { fate: 'excused', share: 0, points: 0 },
  })
})

test('the total has its parts and groups, for assistants only where they may see it', async () => {
  const world = await createMarked()
  const { teacher, ta, student, columns, groups, form } = world
  const { data } = await readCell(world, teacher, columns.total, student)
  expect(data).toMatchObject({
    column: { kind: 'total', max: 100 },
    points: 73.2,
    part: null,
    parts: [
      { columnId: columns.homework, name: form.name, share: 60, points: 43.2 },
      { columnId: columns.oral, name: 'Oral exam', share: 40, points: 30 },
    ],
    groups: [
      { groupId: groups.homeworks, name: 'Homeworks', share: 60, sum: 43.2, points: 43.2 },
      { groupId: groups.exam, name: 'Exam', share: 40, sum: 30, points: 30 },
    ],
    sentences: [
      'Homeworks adds 43.2 of 60 points.',
      'Exam adds 30 of 40 points.',
      'Together that is 73.2 of 100 points.',
    ],
  })
  expect(await readCell(world, ta, columns.total, student)).toMatchObject({
    status: 404,
    code: 'column_not_found',
  })
  const read = async () => (await readCell(world, ta, columns.homework, student)).data
  expect((await read()).part).toBeNull()
  expect((await read()).sentences.join(' ')).not.toContain('total')
  await runSql`update gradebook_columns set for_assistants = 1 where id = ${columns.total}`
  expect((await read()).part).toMatchObject({ points: 43.2 })
  expect((await readCell(world, ta, columns.total, student)).data).toEqual(data)
})

test('a student without a mark has an empty one, and hidden problems are no part of the maximum', async () => {
  const world = await createMarked()
  const { ta, columns, problemId } = world
  const [other] = await addStudents(world, 1)
  if (!other) throw new Error('no student')
  await runSql`delete from stale_marks where user_id = ${other.id}`
  const read = async () => (await readCell(world, ta, columns.homework, other)).data
  expect(await read()).toMatchObject({
    column: { max: 100 },
    points: null,
    excused: false,
    derivation: null,
    sentences: ['Nothing that counts has been handed in yet.'],
  })
  await runSql`update problems set status = 1 where id = ${problemId}`
  expect((await read()).column.max).toBe(0)
})

test('only students of the course and columns of its gradebook are found', async () => {
  const world = await createMarked()
  const { ta, teacher, student, columns } = world
  const other = await createCourse()
  const refused = async (columnId: number | null, person: Pick<Person, 'username'>) =>
    (await readCell(world, teacher, columnId, person)).code
  expect(await refused(columns.homework, ta)).toBe('user_not_found')
  expect(await refused(columns.homework, other.student)).toBe('user_not_found')
  expect(await refused(columns.homework, { username: 'nobody-at-all' })).toBe('user_not_found')
  expect(await refused((await createWeightedBook()).columns.oral, student)).toBe('column_not_found')
  await showMarks(columns.homework, 'yes')
  expect((await readCell(world, student, columns.homework, student)).code).toBe('forbidden')
})
