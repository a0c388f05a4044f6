/** What a search over all of one's courses finds, and for whom. */
import { expect, test } from 'vitest'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { runSql } from '../support/sql.ts'
import {
  addMember,
  createCourse,
  createPerson,
  problemForm,
  uniqueName,
  type Person,
} from '../support/world.ts'

interface Found {
  problems: { problemId: number; problemName: string; course: string }[]
  homeworks: { id: string; name: string; course: string }[]
  people: { username: string; course: string }[]
}

async function find(as: Person, text: string): Promise<Found> {
  const { status, data } = await as.get(`/search?text=${encodeURIComponent(text)}`)
  expect(status).toBe(200)
  return data
}

/** A problem with a name in a course. */
async function addProblem(
  { course, teacher }: { course: string; teacher: Person },
  problemName: string,
  changes: object = {},
): Promise<number> {
  const json = { course, ...problemForm({ problemName, ...changes }) }
  return (await teacher.post('/problem/manage', json)).data.problemId
}

const namesOf = ({ problems }: Found) => problems.map(({ problemName }) => problemName)

test('words in any order find problems by name, id and course, in every course one is in', async () => {
  const [one, two, stranger] = [await createCourse(), await createCourse(), await createCourse()]
  const { student } = one
  await addMember(two, student)
  const mark = uniqueName('Fib')
  const id = await addProblem(one, `Large ${mark} numbers`)
  await addProblem(two, `Small ${mark}`)
  await addProblem(stranger, `Secret ${mark}`)
  expect(namesOf(await find(student, mark.toLowerCase()))).toEqual([
    `Small ${mark}`,
    `Large ${mark} numbers`,
  ])
  expect((await find(student, `numbers ${mark} LARGE`)).problems).toEqual([
    { problemId: id, problemName: `Large ${mark} numbers`, course: one.course },
  ])
  expect(namesOf(await find(student, `#${id}`))).toContain(`Large ${mark} numbers`)
  expect(namesOf(await find(student, `${mark} ${two.course}`))).toContain(`Small ${mark}`)
  expect(await find(student, one.course)).toEqual({ problems: [], homeworks: [], people: [] })
  expect(await find(student, `${mark} nowhere`)).toEqual({
    problems: [],
    homeworks: [],
    people: [],
  })
  expect(namesOf(await find(await createPerson(0), mark))).toHaveLength(3)
  await two.teacher.delete('/course', { course: two.course })
  expect(namesOf(await find(student, mark))).toEqual([`Large ${mark} numbers`])
})

test('students find no problem that is hidden from them or waits for its homework, staff find both', async () => {
  const world = await createCourse()
  const mark = uniqueName('Veil')
  await addProblem(world, `${mark} hidden`, { status: 1 })
  const later = await addProblem(world, `${mark} later`)
  const start = nowSeconds() + 86_400
  const homework = { name: `${mark} week`, start, end: start + 9, problemIds: [later] }
  await world.teacher.post('/homework', { courseName: world.course, ...homework })
  expect(await find(world.student, mark)).toMatchObject({
    problems: [],
    homeworks: [{ name: `${mark} week`, course: world.course }],
  })
  for (const as of [world.ta, world.teacher])
    expect(namesOf(await find(as, mark))).toEqual([`${mark} later`, `${mark} hidden`])
})

test('staff find the people of their courses by either name, students find nobody', async () => {
  const { course, teacher, ta, student } = await createCourse()
  const other = await createCourse()
  const mark = uniqueName('Lovelace')
  await runSql`update users set displayed_name = ${`Ada ${mark}`} where id = ${student.id}`
  const person = { username: student.username, displayedName: `Ada ${mark}`, role: 2, course }
  for (const as of [teacher, ta]) expect((await find(as, `${mark} ada`)).people).toEqual([person])
  expect((await find(teacher, student.username)).people).toContainEqual(person)
  for (const as of [student, other.teacher]) expect((await find(as, mark)).people).toEqual([])
})

test('eight of a kind are found, the newest first, and a text without words is refused', async () => {
  const world = await createCourse()
  const mark = uniqueName('Many')
  for (let count = 1; count <= 9; count += 1) await addProblem(world, `${mark} ${count}`)
  expect(namesOf(await find(world.student, mark))).toEqual(
    [9, 8, 7, 6, 5, 4, 3, 2].map((count) => `${mark} ${count}`),
  )
  for (const text of ['', '%20', 'x'.repeat(65)])
    expect((await world.student.get(`/search?text=${text}`)).code).toBe('bad_query')
  const many = 'a '.repeat(32).trim()
  expect((await world.student.get(`/search?text=${encodeURIComponent(many)}`)).status).toBe(200)
})

test('a problem is found by its number, however many newer ones have it in theirs', async () => {
  const world = await createCourse()
  const mark = uniqueName('Ten')
  const id = await addProblem(world, mark)
  for (let digit = 0; digit < 9; digit += 1)
    await runSql`insert into problems (id, course_id, name, status, type, owner_id, tags, quota, allowed_language,
        description, compare, created_at, updated_at)
      select ${Number(`${id}${digit}`)}, course_id, ${`Newer ${digit}`}, status, type, owner_id, tags, quota, allowed_language,
        description, compare, created_at, updated_at from problems where id = ${id}`
  expect(namesOf(await find(world.student, `#${id}`))[0]).toBe(mark)
})
