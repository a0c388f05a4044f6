/** Course names that count as the same. */
import { describe, expect, test } from 'vitest'
import { allRows, runSql } from '../support/sql.ts'
import {
  type Person,
  createCourse,
  createPeople,
  createPerson,
  signIn,
  uniqueName,
} from '../support/world.ts'

/** Names that differ only in case, width or the form of their accents. */
const SAME = [
  ['Éa', 'éA'],
  ['Éa', 'E\u0301a'],
  ['AB', 'ＡＢ'],
  ['ΟΔΟΣ', 'οδος'],
  ['Straße', 'STRASSE'],
  ['Straße', 'STRAẞE'],
  ['ㄅ程式１', 'ㄅ程式1'],
] as const

describe('names of courses that differ in case or width only', () => {
  test.each(SAME)(
    '%s and %s are one: the second is taken, and each finds the first',
    async (one, other) => {
      const teacher = await createPerson(1)
      const mark = uniqueName(' Zz ')
      const course = one + mark
      const typed = other + mark.toLowerCase()
      const create = (name: string) =>
        teacher.post('/course', { course: name, teacher: teacher.username })
      expect((await create(course)).status).toBe(200)
      expect((await create(typed)).code).toBe('course_exists')
      for (const name of [course, typed]) {
        const path = encodeURIComponent(name)
        expect((await teacher.get(`/course/${path}`)).data).toMatchObject({ course })
        expect((await teacher.get(`/problem?course=${path}`)).status).toBe(200)
        expect((await teacher.get(`/submission?course=${path}`)).status).toBe(200)
        expect((await teacher.get(`/course/${path}/ann`)).status).toBe(200)
      }
      const ann = { title: 'T', markdown: '', courseName: typed }
      expect((await teacher.post('/ann', ann)).status).toBe(200)
      expect((await teacher.get(`/course/${encodeURIComponent(course)}/ann`)).data).toHaveLength(1)
    },
  )

  test('an answer and the audit log call a course as it is called, however it was typed', async () => {
    const { course, ta, teacher } = await createCourse()
    const typed = course.toUpperCase()
    const { annId } = (await ta.post('/ann', { title: 'T', markdown: '', courseName: typed })).data
    expect((await teacher.put('/course', { course: typed })).data).toEqual({ course })
    const name = uniqueName('n')
    const newUsers = `username,password,email\n${name},words of ${name},${name}@example.test`
    const sent = await teacher.post('/auth/batch-signup', { newUsers, course: typed })
    expect(sent.status).toBe(200)
    const noted = await allRows`select subject, detail ->> 'course' as course from audit_entries
      where subject = ${annId} or (action = 'user.batch_signup' and actor_id = ${teacher.id})`
    expect(noted).toEqual([
      { subject: annId, course },
      { subject: course, course: null },
    ])
  })

  test('a course is renamed to another spelling of its own name, not to one of another’s', async () => {
    const { course, teacher } = await createCourse()
    const other = await createCourse()
    const rename = (newCourse: string) => teacher.put('/course', { course, newCourse })
    expect((await rename(other.course.toUpperCase())).code).toBe('course_exists')
    expect((await rename(course.toUpperCase())).status).toBe(200)
    expect((await teacher.get(`/course/${course}`)).data.course).toBe(course.toUpperCase())
  })

  test('the other spellings of a deleted name are free once it is', async () => {
    const { course, teacher } = await createCourse()
    const json = { course: course.toUpperCase(), teacher: teacher.username }
    await teacher.delete('/course', { course })
    expect((await teacher.post('/course', json)).code).toBe('course_exists')
    await runSql`update courses set deleted_at = deleted_at - 2592005 where name = ${course}`
    expect((await teacher.post('/course', json)).status).toBe(200)
    expect((await teacher.get(`/course/${course}`)).data.course).toBe(json.course)
  })
})

test.each([
  'public',
  'PUBLIC',
  'Рublic',
  'Рublіс',
  'Ρublic',
  'Pub1ic',
  'PubIic',
  'Ｐｕｂｌｉｃ',
  'Púbłic',
  'Ⲣublic',
])('%s looks like Public and is taken', async (course) => {
  const [admin] = await createPeople(0)
  const json = { course, teacher: admin.username }
  expect(await admin.post('/course', json)).toMatchObject({ status: 409, code: 'course_exists' })
  const own = await createCourse()
  const edit = { course: own.course, newCourse: course }
  expect((await own.teacher.put('/course', edit)).code).toBe('course_exists')
})

test('who types a username in full width is taken for its owner', async () => {
  const { course, teacher } = await createCourse()
  const student = await createPerson(2)
  const wide = student.username.replaceAll(/[!-~]/g, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + 0xfee0),
  )
  expect((await signIn(wide)).message).toBe('Login Success')
  const add = [{ user: wide, role: 'student' }]
  expect((await teacher.patch(`/course/${course}/members`, { add })).status).toBe(200)
  const { students } = (await teacher.get(`/course/${course}`)).data
  expect(students.map(({ username }: Person) => username)).toContain(student.username)
})
