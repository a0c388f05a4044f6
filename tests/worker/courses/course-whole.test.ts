/** Whole lists and pages of courses, beside other courses; an edit of one leaves the others unchanged. */
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { findUser } from '../../../worker/features/users/queries.ts'
import { findRestorable, insertCourse } from '../../../worker/features/courses/edit-queries.ts'
import { COURSE_RESTORE_SECONDS, listRestorable } from '../../../worker/features/courses/queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { allRows, runSql } from '../support/sql.ts'
import {
  addMember,
  createCourse,
  createPeople,
  createPerson,
  createProblem,
  uniqueName,
  type Person,
} from '../support/world.ts'

const db = openDb(env.DB)
const NOW = 1_800_000_000

/** A person made by `createPerson`, as others see them. */
function infoOf({ username }: Person, role: 0 | 1 | 2) {
  return { username, displayedName: `The ${username}`, role }
}

const namesOf = (people: { username: string }[]) => people.map(({ username }) => username)

/** Makes a course with this teacher. */
async function addCourse(teacher: Person, course: string, fields: object = {}) {
  const made = await teacher.post('/course', { course, teacher: teacher.username, ...fields })
  expect(made).toMatchObject({ status: 200, data: { course } })
}

/** A person as a handler gets them. */
async function actorOf({ username }: Person) {
  const row = await findUser(db, username)
  if (!row) throw new Error('nobody')
  return row
}

describe('the list of courses', () => {
  test('has one’s own by name, each with its teacher, one’s role and no other’s questions', async () => {
    const [one, two, person, admin] = await createPeople(1, 1, 2, 0)
    const mark = uniqueName('-')
    const [first, second, third] = ['Aa', 'Bb', 'Cc'].map((name) => name + mark) as [
      string,
      string,
      string,
    ]
    await addCourse(one, third)
    await addCourse(two, first)
    await addCourse(one, second)
    await addMember({ course: third, teacher: one }, person)
    await addMember({ course: first, teacher: two }, person, 'ta')
    const item = (course: string, teacher: Person, role: string) => ({
      course,
      teacher: infoOf(teacher, 1),
      role,
      waitingQuestions: 0,
    })
    expect((await person.get('/course')).data).toEqual([
      item(first, two, 'ta'),
      item(third, one, 'student'),
    ])
    const taught = [item(second, one, 'teacher'), item(third, one, 'teacher')]
    expect((await one.get('/course')).data).toEqual(taught)
    const own = (await admin.get('/course')).data.filter(({ course }: { course: string }) =>
      course.endsWith(mark),
    )
    expect(own).toEqual([item(first, two, 'teacher'), ...taught])
    const all: string[] = (await admin.get('/course')).data.map(
      ({ course }: { course: string }) => course,
    )
    expect(all).not.toContain('Public')
    expect(all).toEqual(all.toSorted())
    // After a new name and a new teacher, each of these finds the course by its new name.
    const renamed = `Dd${mark}`
    const edit = { course: third, newCourse: renamed, teacher: two.username }
    expect((await one.put('/course', edit)).data).toEqual({ course: renamed })
    expect((await person.get('/course')).data).toEqual([
      item(first, two, 'ta'),
      item(renamed, two, 'student'),
    ])
    expect((await one.get('/course')).data).toEqual([item(second, one, 'teacher')])
    expect((await two.get('/course')).data).toEqual([
      item(first, two, 'teacher'),
      item(renamed, two, 'teacher'),
    ])
  })

  test('of deleted ones has those that one may restore, and when they were deleted', async () => {
    const { course, teacher, ta } = await createCourse()
    const [stranger, admin] = await createPeople(1, 0)
    await addCourse(teacher, uniqueName('Stays '))
    await teacher.delete('/course', { course })
    await runSql`update courses set deleted_at = ${nowSeconds() - 100} where name = ${course}`
    const deletedAt = expect.any(Number)
    const item = {
      course,
      teacher: infoOf(teacher, 1),
      role: 'teacher',
      waitingQuestions: 0,
      deletedAt,
    }
    expect((await teacher.get('/course?deleted=true')).data).toEqual([item])
    expect((await admin.get('/course?deleted=true')).data).toContainEqual(item)
    for (const as of [ta, stranger]) expect((await as.get('/course?deleted=true')).data).toEqual([])
    expect((await teacher.get('/course?deleted=false')).data).toHaveLength(1)
  })
})

describe('a deleted course', () => {
  test('can be restored for thirty days to the second, and only then is its name free', async () => {
    const { course, teacher } = await createCourse()
    const actor = await actorOf(teacher)
    await runSql`update courses set deleted_at = ${NOW} where name = ${course}`
    const last = NOW + COURSE_RESTORE_SECONDS
    const found = async (now: number) => [
      (await findRestorable(db, actor, course, now))?.name,
      (await listRestorable(db, actor, now)).map((each) => [each.course, each.deletedAt]),
    ]
    expect(await found(last)).toEqual([course, [[course, NOW]]])
    expect(await found(last + 1)).toEqual([undefined, []])
    const form = { course, teacher: teacher.username, timeZone: 'UTC' }
    const create = (now: number) => insertCourse(db, form, { actor, ip: '', now }, () => {})
    await expect(create(last)).rejects.toMatchObject({ code: 'course_exists' })
    await create(last + 1)
    const named = await allRows<{
      name: string
      created: number
    }>`select name, created_at as created from courses
      where teacher_id = ${teacher.id} order by id`
    expect(named[0]?.name).toMatch(new RegExp(`^${course}#\\d+$`))
    expect(named[1]).toEqual({ name: course, created: last + 1 })
  })

  test('is restored once: again changes nothing and is not noted', async () => {
    const { course, teacher } = await createCourse()
    const before = (await teacher.get(`/course/${course}`)).headers.get('ETag') ?? ''
    await teacher.delete('/course', { course })
    for (let time = 0; time < 2; time += 1)
      expect((await teacher.post(`/course/${course}/restore`)).data).toEqual({ course })
    const noted = await allRows`select action, subject, detail from audit_entries
      where actor_id = ${teacher.id} order by id desc limit 2`
    const subject = course
    expect(noted).toEqual([
      { action: 'course.restore', subject, detail: '{}' },
      { action: 'course.delete', subject, detail: '{}' },
    ])
    const edit = { course, newCourse: uniqueName('Stale ') }
    expect((await teacher.put('/course', edit, { 'If-Match': before })).code).toBe('stale_edit')
  })
})

describe('a course', () => {
  test('is made as the form says: its teacher in any case, its time zone', async () => {
    const [teacher, admin] = await createPeople(1, 0)
    const [own, given] = [uniqueName('Own '), uniqueName('Given ')]
    await addCourse(teacher, own, {
      teacher: teacher.username.toUpperCase(),
      timeZone: 'Asia/Taipei',
    })
    await admin.post('/course', { course: given, teacher: teacher.username })
    const read = async (course: string) => (await teacher.get(`/course/${course}`)).data
    const rest = {
      TAs: [],
      students: [],
      role: 'teacher',
      waitingQuestions: 0,
      counts: 'best',
      closedAt: null,
      labels: [],
      memberLabels: {},
      copiedFrom: null,
      unconfirmed: [],
      emails: {},
    }
    const lacks = ['members', 'problem', 'testData', 'homework', 'announcement']
    const detail = { ...rest, teacher: infoOf(teacher, 1), lacks }
    expect(await read(own)).toEqual({ ...detail, course: own, timeZone: 'Asia/Taipei' })
    expect(await read(given)).toEqual({ ...detail, course: given, timeZone: 'UTC' })
    const noted = await allRows`select actor_id as actor, detail from audit_entries
      where action = 'course.create' and subject in (${own}, ${given}) order by id`
    expect(noted).toEqual([teacher, admin].map(({ id }) => ({ actor: id, detail: '{}' })))
  })

  test('shows its people by name, to each what is theirs to know, and nothing of the course beside it', async () => {
    const { course, teacher, ta, student } = await createCourse()
    const beside = await createProblem()
    const add = { courseName: beside.course, title: 'T', markdown: '' }
    await beside.ta.post('/ann', add)
    const homework = { courseName: beside.course, name: 'H', start: 1, end: 2 }
    await beside.ta.post('/homework', homework)
    const [late, early] = [await createPerson(2), await createPerson(2, { emailConfirmed: false })]
    await runSql`update users set username = 'aB-' || id, username_key = 'ab-' || id where id = ${late.id}`
    await runSql`update users set username = 'AA-' || id, username_key = 'aa-' || id,
      made_in_course_id = (select id from courses where name = ${course}) where id = ${early.id}`
    const add2 = [`aB-${late.id}`, `AA-${early.id}`].map((user) => ({ user, role: 'student' }))
    expect((await teacher.patch(`/course/${course}/members`, { add: add2 })).status).toBe(200)
    await addMember({ course, teacher }, beside.student, 'ta')
    const named = (person: Person, username: string) => ({
      ...infoOf(person, 2),
      username,
    })
    const seen = {
      course,
      teacher: infoOf(teacher, 1),
      TAs: [infoOf(ta, 2), infoOf(beside.student, 2)].toSorted((left, right) =>
        left.username < right.username ? -1 : 1,
      ),
      students: [named(early, `AA-${early.id}`), named(late, `aB-${late.id}`), infoOf(student, 2)],
      timeZone: 'UTC',
      counts: 'best',
      closedAt: null,
      labels: [],
      memberLabels: {},
      waitingQuestions: 0,
    }
    const staff = {
      copiedFrom: null,
      unconfirmed: [`AA-${early.id}`],
      lacks: ['problem', 'testData', 'homework', 'announcement'],
    }
    const emails = { [`AA-${early.id}`]: `${early.username}@example.test` }
    const read = async (as: Person) => (await as.get(`/course/${course}`)).data
    expect(await read(teacher)).toEqual({ ...seen, ...staff, role: 'teacher', emails })
    expect(await read(ta)).toEqual({ ...seen, ...staff, role: 'ta' })
    expect(await read(student)).toEqual({ ...seen, role: 'student' })
  })

  test('that is deleted of its homework and announcement lacks them again', async () => {
    const { course, teacher } = await createProblem()
    const { id } = (
      await teacher.post('/homework', { courseName: course, name: 'H', start: 1, end: 2 })
    ).data
    const { annId } = (await teacher.post('/ann', { courseName: course, title: 'T', markdown: '' }))
      .data
    const lacks = async () => (await teacher.get(`/course/${course}`)).data.lacks
    expect(await lacks()).toEqual([])
    await teacher.delete(`/homework/${id}`)
    await teacher.delete('/ann', { annId })
    expect(await lacks()).toEqual(['homework', 'announcement'])
  })

  test('that gets another teacher loses that member, and no course beside it does', async () => {
    const world = await createCourse()
    const { course, teacher, ta, student } = world
    const beside = await createCourse()
    const heir = await createPerson(1)
    for (const each of [world, beside]) await addMember(each, heir, 'ta')
    for (const person of [ta, student]) await addMember(beside, person)
    const before = (await beside.teacher.get(`/course/${beside.course}`)).data
    const headers = { 'CF-Connecting-IP': '203.0.113.70' }
    await teacher.put('/course', { course, teacher: heir.username }, headers)
    expect((await beside.teacher.get(`/course/${beside.course}`)).data).toEqual(before)
    const after = (await heir.get(`/course/${course}`)).data
    expect([after.teacher, namesOf(after.TAs), namesOf(after.students)]).toEqual([
      infoOf(heir, 1),
      [ta.username],
      [student.username],
    ])
    const [noted] = await allRows`select subject, detail, ip from audit_entries
      where actor_id = ${teacher.id} and action = 'course.edit'`
    const detail = JSON.stringify({ newCourse: course, teacher: heir.username })
    expect(noted).toEqual({ subject: course, detail, ip: '203.0.113.70' })
  })
})

describe('the members of a course', () => {
  test('change as named and nobody else, here or in the course beside it; who is in both lists assists', async () => {
    const world = await createCourse()
    const { course, teacher, ta, student } = world
    const beside = await createCourse()
    for (const person of [ta, student]) await addMember(beside, person)
    const other = await createPerson(2)
    const joined = () => allRows`select user_id as id, joined_at as at from memberships m
      join courses c on c.id = m.course_id where c.name = ${course} and user_id in (${ta.id}, ${student.id}) order by user_id`
    await runSql`update memberships set joined_at = 5 where user_id in (${ta.id}, ${student.id})`
    const theirs = (await beside.teacher.get(`/course/${beside.course}`)).data
    const read = async () => {
      const { data } = await teacher.get(`/course/${course}`)
      return [namesOf(data.TAs), namesOf(data.students)]
    }
    const patch = (json: object) => teacher.patch(`/course/${course}/members`, json)
    const ghost = await patch({
      add: [{ user: other.username, role: 'student' }],
      remove: ['ghost', ta.username],
    })
    expect(ghost).toMatchObject({
      status: 404,
      code: 'user_not_found',
      data: { unknown: ['ghost'] },
    })
    expect(await read()).toEqual([[ta.username], [student.username]])
    await patch({
      add: [
        { user: student.username, role: 'ta' },
        { user: teacher.username, role: 'ta' },
      ],
    })
    expect((await read())[0]?.toSorted()).toEqual([student.username, ta.username].toSorted())
    expect(await joined()).toEqual([ta, student].map(({ id }) => ({ id, at: 5 })))
    const put = (json: object) => teacher.put(`/course/${course}`, json)
    await put({
      TAs: [student.username],
      students: [student.username, ta.username, teacher.username],
    })
    expect(await read()).toEqual([[student.username], [ta.username]])
    await patch({ remove: [ta.username] })
    expect(await read()).toEqual([[student.username], []])
    await put({ TAs: [], students: [other.username] })
    expect(await read()).toEqual([[], [other.username]])
    expect((await beside.teacher.get(`/course/${beside.course}`)).data).toEqual(theirs)
    const noted = await allRows<{ detail: string }>`select subject, detail from audit_entries
      where actor_id = ${teacher.id} and action = 'course.members' order by id`
    const counts = (added: number, removed: number, replaced: boolean) => ({
      subject: course,
      detail: JSON.stringify({ added, removed, replaced }),
    })
    expect(noted.slice(1)).toEqual([
      counts(2, 0, false),
      counts(3 + 1, 0, true),
      counts(0, 1, false),
      counts(1, 0, true),
    ])
  })

  test('are suggested to who manages them: whose e-mail counts, of live courses, ten at most', async () => {
    const [{ course, teacher }, known, gone] = [
      await createCourse(),
      await createCourse(),
      await createCourse(),
    ]
    const mark = uniqueName('Findme')
    const people: Person[] = []
    for (let made = 0; made < 12; made += 1) people.push(await createPerson(2))
    const [claim, lost, assisted, ...rest] = people
    if (!claim || !lost || !assisted) throw new Error('no people')
    for (const person of people)
      await runSql`update users set displayed_name = ${mark} where id = ${person.id}`
    await runSql`update courses set teacher_id = ${teacher.id} where name in (${known.course}, ${gone.course})`
    const join = (of: string, person: Person) =>
      runSql`insert into memberships (course_id, user_id, role, joined_at)
        select id, ${person.id}, 'student', 1 from courses where name = ${of}`
    for (const person of [claim, ...rest]) await join(known.course, person)
    await join(gone.course, lost)
    await runSql`update users set email_confirmed_at = null where id = ${claim.id}`
    await teacher.delete('/course', { course: gone.course })
    // The search finds nobody of a course that the teacher only assists.
    const foreign = await createCourse()
    await addMember(foreign, teacher, 'ta')
    await join(foreign.course, assisted)
    const found = async (as: Person) =>
      (await as.get(`/course/${course}/people?search=${mark}`)).data as { username: string }[]
    const listed = await found(teacher)
    expect(namesOf(listed).toSorted()).toEqual(namesOf(rest).toSorted())
    expect(listed[0]).toEqual({ username: listed[0]?.username, displayedName: mark, role: 2 })
    expect(await found(await createPerson(0))).toHaveLength(10)
    const own = await teacher.get(`/course/${course}/people?search=${teacher.username}`)
    expect(own.data).toEqual([])
  })
})
