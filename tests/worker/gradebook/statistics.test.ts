/** The statistics of a homework: who counts in them, and that they agree with what was handed in. */
import { expect, test } from 'vitest'
import { columnOf } from '../support/gradebook.ts'
import { lateDerivation, SET, storeMark } from '../support/stored-marks.ts'
import { addLabel, createDatedHomework, HOUR } from '../support/dated-homework.ts'
import { insertOverride } from '../support/dates.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { runSql } from '../support/sql.ts'
import { addStudents, createPerson, submit, type Person } from '../support/world.ts'

/** Submissions of a person with these statuses, oldest first; 0 is accepted. */
async function handInAll(as: Person, problemId: number, statuses: number[]) {
  for (const status of statuses) {
    const id = await submit(as, problemId)
    await runSql`update problem_results set attempts = json_set(attempts, '$."' || ${id} || '"', json_array(1, ${status}, ${status === 0 ? 100 : 40}))
      where problem_id = ${problemId} and user_id = ${as.id}`
  }
}

/** A homework in which five students have 100, 90, 45 and no points, and one is excused. */
async function createMarked() {
  const world = await createDatedHomework()
  const { form, problemId, student, homeworkId } = world
  const [second, third, fourth, excused] = (await addStudents(world, 4)) as [
    Person,
    Person,
    Person,
    Person,
  ]
  const column = await columnOf(homeworkId)
  const at = (hours: number) => form.end + hours * HOUR
  const mark = (hundredths: number, when: number) => {
    const { problems, ...derivation } = lateDerivation(problemId, when)
    return {
      hundredths,
      derivation: { ...derivation, problems: problems.map((each) => ({ ...each, hundredths })) },
    }
  }
  await handInAll(student, problemId, [1, 1, 0, 0])
  await storeMark(student, column, mark(10_000, at(-2)))
  await handInAll(second, problemId, [0])
  await storeMark(second, column, mark(9_000, at(0.5)))
  await handInAll(third, problemId, [1])
  await storeMark(third, column, mark(4_500, at(-1.5)))
  await handInAll(excused, problemId, [0])
  await storeMark(excused, column, { hundredths: null, isExcused: true })
  return { ...world, column, people: { student, second, third, fourth, excused } }
}

test('marks, tries, times and who has not begun are those of students who are not excused', async () => {
  const { ta, path, problemId, people } = await createMarked()
  const { data } = await ta.get(`${path}/statistics`)
  const spread = { count: 3, min: 45, lower: 67.5, median: 90, upper: 95, max: 100, mean: 78.33 }
  expect(data).toEqual({
    students: 4,
    max: 100,
    marks: {
      bars: [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((from) => ({
        from,
        count: [40, 90, 100].includes(from) ? 1 : 0,
      })),
      spread,
    },
    problems: [
      {
        problemId,
        name: 'A plus B',
        max: 100,
        tried: 3,
        solved: 2,
        tries: [
          { tries: 1, count: 1 },
          { tries: 3, count: 1 },
        ],
        marks: spread,
      },
    ],
    hoursBefore: [
      { hours: -1, count: 1 },
      { hours: 1, count: 1 },
      { hours: 2, count: 1 },
    ],
    byLabel: [],
    notBegun: [
      {
        user: {
          username: people.fourth.username,
          displayedName: `The ${people.fourth.username}`,
          role: 2,
        },
        email: null,
      },
    ],
  })
})

test('a label picks its students, and each label has its own spread in percent', async () => {
  const world = await createMarked()
  const { ta, path, people } = world
  const { student, third, fourth } = people
  const lab = await addLabel(world, 'Lab', [student, third])
  await addLabel(world, 'Empty', [])
  const { data } = await ta.get(`${path}/statistics?label=${lab}`)
  expect(data).toMatchObject({
    students: 2,
    marks: { spread: { count: 2, median: 72.5 } },
    problems: [{ tried: 2, solved: 1 }],
    byLabel: [
      { label: 'Lab', marks: { count: 2, median: 72.5 } },
      { label: 'Empty', marks: null },
    ],
    notBegun: [],
  })
  const unknown = await ta.get(`${path}/statistics?label=${lab + 1_000}`)
  expect(unknown).toMatchObject({ status: 404, code: 'label_not_found' })
  expect((await ta.get(`${path}/statistics`)).data.notBegun).toMatchObject([
    { user: { username: fourth.username } },
  ])
})

test('one’s own due time decides how early work came, and whom dates excuse is left out', async () => {
  const { ta, teacher, path, homeworkId, people, form } = await createMarked()
  const { second, fourth } = people
  await insertOverride(homeworkId, second, teacher, { due: form.end + 3 * HOUR })
  await insertOverride(homeworkId, fourth, teacher, { excused: true })
  const { data } = await ta.get(`${path}/statistics`)
  expect(data).toMatchObject({ students: 3, notBegun: [] })
  expect(data.hoursBefore).toEqual([
    { hours: 1, count: 1 },
    { hours: 2, count: 2 },
  ])
})

test('whom dates excuse counts all the same where staff set a mark', async () => {
  const { ta, teacher, path, homeworkId, column, people } = await createMarked()
  const { third, fourth } = people
  for (const person of [third, fourth])
    await insertOverride(homeworkId, person, teacher, { excused: true })
  await storeMark(third, column, { hundredths: 8_000, isSet: true, derivation: SET })
  const { data } = await ta.get(`${path}/statistics`)
  expect(data).toMatchObject({
    students: 3,
    notBegun: [],
    marks: { spread: { count: 3, min: 80, max: 100 } },
  })
})

test('addresses are those that the list of members shows: confirmed, of accounts that the course made, for its teacher', async () => {
  const { ta, teacher, path, course, people } = await createMarked()
  const { fourth } = people
  const emailFor = async (as: Person) =>
    (await as.get(`${path}/statistics`)).data.notBegun.map(({ email }: { email: string }) => email)
  expect(await emailFor(teacher)).toEqual([null])
  await runSql`update users set made_in_course_id = (select id from courses where name = ${course}) where id = ${fourth.id}`
  expect(await emailFor(teacher)).toEqual([`${fourth.username}@example.test`])
  expect(await emailFor(ta)).toEqual([null])
  await runSql`update users set email_confirmed_at = null where id = ${fourth.id}`
  expect(await emailFor(teacher)).toEqual([null])
})

test('a homework without marks has bars of nobody; students and strangers see nothing', async () => {
  const { ta, student, path } = await createDatedHomework()
  const { status, text, trips } = await recordCall('GET', `${path}/statistics`, { as: ta })
  expect(status, text).toBe(200)
  expect(trips).toHaveLength(3)
  const { data } = JSON.parse(text)
  expect(data).toMatchObject({ students: 1, marks: { spread: null }, hoursBefore: [] })
  expect(data.marks.bars.every(({ count }: { count: number }) => count === 0)).toBe(true)
  expect(await student.get(`${path}/statistics`)).toMatchObject({ status: 403 })
  const stranger = await createPerson(2)
  expect(await stranger.get(`${path}/statistics`)).toMatchObject({ status: 404 })
})
