/** Which people a search finds, and for whom. */
import { expect, test } from 'vitest'
import { runSql } from '../support/sql.ts'
import {
  addMember,
  createCourse,
  createPeople,
  createPerson,
  uniqueName,
  type Person,
} from '../support/world.ts'

/** Makes another course of a teacher. */
async function addCourse(teacher: Person): Promise<string> {
  const course = uniqueName('More ')
  await teacher.post('/course', { course, teacher: teacher.username })
  return course
}

/** Gives an account a name and an email address; `madeIn` names the course that made it, if any. */
async function nameAs({ id }: Person, name: string, email: string, madeIn = ''): Promise<void> {
  await runSql`update users set displayed_name = ${name}, email = ${email},
    made_in_course_id = (select id from courses where name = ${madeIn}) where id = ${id}`
}

/** Usernames that a search for new members finds. */
async function found(as: Person, course: string, search: string): Promise<string[]> {
  const { status, data } = await as.get(
    `/course/${course}/people?search=${encodeURIComponent(search)}`,
  )
  expect(status).toBe(200)
  return data.map(({ username }: { username: string }) => username)
}

test('a teacher finds members of their other courses by any part of their names, and no stranger', async () => {
  const { course, teacher, student } = await createCourse()
  const more = await addCourse(teacher)
  const stranger = await createPerson(2)
  const mark = uniqueName('Quirk')
  await nameAs(student, `Ada ${mark}son`, 'ada@private.test')
  await nameAs(stranger, `Bob ${mark}son`, 'bob@private.test')
  expect(await found(teacher, more, mark.toLowerCase())).toEqual([student.username])
  expect(await found(teacher, more, student.username.slice(1))).toContain(student.username)
  expect(await found(teacher, more, stranger.username)).toEqual([])
  await addMember({ course: more, teacher }, student)
  expect(await found(teacher, more, mark)).toEqual([])
  expect(await found(teacher, course, mark)).toEqual([])
})

test('a part of an e-mail finds only accounts that the teacher’s courses made; admins find everybody', async () => {
  const { course, teacher, ta, student } = await createCourse()
  const more = await addCourse(teacher)
  const admin = await createPerson(0)
  const mark = uniqueName('mail')
  await nameAs(student, 'Made here', `made.${mark}@private.test`, course)
  await nameAs(ta, 'Made elsewhere', `own.${mark}@private.test`)
  expect(await found(teacher, more, mark)).toEqual([student.username])
  expect((await found(admin, more, mark)).toSorted()).toEqual(
    [student.username, ta.username].toSorted(),
  )
  const { emails } = (await teacher.get(`/course/${course}`)).data
  expect(emails).toEqual({ [student.username]: `made.${mark}@private.test` })
  for (const as of [ta, student])
    expect((await as.get(`/course/${course}`)).data.emails).toBeUndefined()
  expect((await teacher.get(`/course/${more}`)).data.emails).toEqual({})
})

test('an address that an admin gives an account is not the course’s to know', async () => {
  const { course, teacher, student } = await createCourse()
  const admin = await createPerson(0)
  await nameAs(student, 'Moves', `${uniqueName('old')}@private.test`, course)
  const emails = async () => (await teacher.get(`/course/${course}`)).data.emails
  await admin.patch(`/user/${student.username}`, { displayedName: 'Moves soon' })
  expect(Object.keys(await emails())).toEqual([student.username])
  const email = `${uniqueName('new')}@private.test`
  expect((await admin.patch(`/user/${student.username}`, { email })).status).toBe(200)
  expect(await emails()).toEqual({})
})

test('only who manages the members searches, with two characters at least', async () => {
  const { course, teacher, ta, student } = await createCourse()
  const [outsider, other] = await createPeople(2, 1)
  const status = async (as: Person, search = 'ab') =>
    (await as.get(`/course/${course}/people?search=${search}`)).status
  expect(
    await Promise.all([teacher, ta, student, outsider, other].map((as) => status(as))),
  ).toEqual([200, 403, 403, 404, 404])
  expect(await status(teacher, 'a')).toBe(400)
  expect((await found(teacher, course, '%%')).length).toBe(0)
})
