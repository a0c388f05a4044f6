import { expect, test } from 'vitest'
import { NOTICE_KINDS } from '#contract/notices'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { kindsOf, mailTimes, newOf, noticesOf, tell } from '../support/notices.ts'
import { firstValue, runSql } from '../support/sql.ts'
import { addMember, createCourse, createPerson, type Person } from '../support/world.ts'

const SETTINGS = { kinds: {}, mutedCourses: [], mails: true }

/** An announcement in a course. */
const announce = ({ course, ta }: { course: string; ta: Person }) =>
  ta.post('/ann', { title: 'News', markdown: '', courseName: course })

test('what one has seen is not new, and stays seen', async () => {
  const world = await createCourse()
  const { student } = world
  for (const _ of [1, 2, 3]) await announce(world)
  const [third, second, first] = await noticesOf(student)
  if (!third || !second || !first) throw new Error('no notices')
  const see = (noticeId: number) => student.put('/notices/seen', { noticeId })
  await see(second.id)
  expect((await noticesOf(student)).map(({ isNew }) => isNew)).toEqual([true, false, false])
  await see(first.id)
  expect(await newOf(student)).toBe(1)
  // What is yet to come is new.
  await see(Number.MAX_SAFE_INTEGER)
  expect(await newOf(student)).toBe(0)
  await announce(world)
  expect(await newOf(student)).toBe(1)
  expect(await newOf(world.teacher)).toBe(4)
  expect(await see(-1)).toMatchObject({ status: 400, code: 'bad_body' })
})

test('settings show the kinds that one can get, and where mails go', async () => {
  const { course, teacher, ta, student } = await createCourse()
  const read = async (person: Person) => (await person.get('/notices/settings')).data
  const kinds = async (person: Person) => Object.keys((await read(person)).kinds)
  expect(await read(student)).toEqual({
    kinds: {
      answer: 'now',
      announcement: 'daily',
      homework_opens: 'daily',
      due_tomorrow: 'now',
      own_dates: 'now',
      request_answered: 'now',
      marks_shown: 'daily',
      mark_changed: 'now',
      regrade_answered: 'now',
      let_in: 'now',
    },
    mutedCourses: [],
    mails: true,
    courses: [course],
    address: `${student.username}@example.test`,
  })
  expect(await kinds(ta)).not.toContain('webhook_off')
  expect(await kinds(teacher)).toContain('webhook_off')
  await addMember(await createCourse(), teacher)
  expect(await kinds(teacher)).toEqual(Object.keys(NOTICE_KINDS))
  expect(await read(await createPerson(0))).toMatchObject({ kinds: {}, courses: [] })
  const unconfirmed = await createPerson(2, { emailConfirmed: false })
  expect((await read(unconfirmed)).address).toBeNull()
})

test('kinds that are absent stay; courses must be one’s own; unknown kinds are refused', async () => {
  const { course, student } = await createCourse()
  const elsewhere = await createCourse()
  const put = (changes: object) => student.put('/notices/settings', { ...SETTINGS, ...changes })
  await put({ kinds: { announcement: 'off', answer: 'app' } })
  await put({ kinds: { answer: 'daily' }, mutedCourses: [course.toUpperCase()], mails: false })
  const { data } = await student.get('/notices/settings')
  expect(data).toMatchObject({ mutedCourses: [course], mails: false })
  expect(data.kinds).toMatchObject({ announcement: 'off', answer: 'daily', own_dates: 'now' })
  const refused = await put({ mutedCourses: [course, elsewhere.course], mails: true })
  expect(refused).toMatchObject({ status: 404, code: 'course_not_found' })
  expect((await student.get('/notices/settings')).data.mails).toBe(false)
  expect(await put({ kinds: { gossip: 'now' } })).toMatchObject({ status: 400, code: 'bad_body' })
  expect(await put({ kinds: { answer: 'often' } })).toMatchObject({ status: 400, code: 'bad_body' })
})

test('off, in the app, daily, at once, muted, and no mails: each does what it says', async () => {
  const world = await createCourse()
  const { course, student } = world
  const trials = [
    [{ kinds: { announcement: 'off' } }, [], 'no'],
    [{ kinds: { announcement: 'app' } }, ['announcement'], 'no'],
    [{ kinds: { announcement: 'daily' } }, ['announcement'], 'later'],
    [{ kinds: { announcement: 'now' } }, ['announcement'], 'now'],
    [{ kinds: { announcement: 'now' }, mails: false }, ['announcement'], 'no'],
    [{ kinds: { announcement: 'now' }, mutedCourses: [course] }, [], 'no'],
  ] as const
  for (const [settings, kinds, mail] of trials) {
    await runSql`delete from notices`
    await runSql`delete from notice_mails`
    await student.put('/notices/settings', { ...SETTINGS, ...settings })
    await announce(world)
    const what = JSON.stringify(settings)
    expect(await kindsOf(student), what).toEqual(kinds)
    expect(await newOf(student), what).toBe(kinds.length)
    const times = await mailTimes(student)
    const when = times.map((at) => (at > nowSeconds() ? 'later' : 'now'))
    expect(when, what).toEqual(mail === 'no' ? [] : [mail])
  }
})

test('who lets mails come again gets none with what was before', async () => {
  const world = await createCourse()
  const { course, student } = world
  const mailed = () =>
    firstValue<number>`select mailed_id from notice_settings where user_id = ${student.id}`
  const put = (mails: boolean) => student.put('/notices/settings', { ...SETTINGS, mails })
  await put(true)
  await tell(course, 'announcement')
  await put(true)
  expect(await mailed()).toBe(0)
  await put(false)
  await put(true)
  expect(await mailed()).toBe(await firstValue`select max(id) from notices`)
})
