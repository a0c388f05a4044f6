/** A course gets another time zone: the effect on its homeworks, and none on other courses. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { findStanding } from '../../../worker/db/standing.ts'
import { updateCourse } from '../../../worker/features/courses/edit-queries.ts'
import { findUser } from '../../../worker/features/users/queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { insertOverride } from '../support/dates.ts'
import { allRows, runSql } from '../support/sql.ts'
import { createCourse, type Person } from '../support/world.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
/** Taipei is eight hours ahead of UTC all year. */
const AHEAD = 8 * HOUR

type Times = Record<string, { start: number; end: number }>

/** Homeworks of a course by name. */
async function timesOf(teacher: Person, course: string): Promise<Times> {
  const { data } = await teacher.get(`/course/${course}/homework`)
  return Object.fromEntries(
    data.map(({ name, start, end }: { name: string; start: number; end: number }) => [
      name,
      { start, end },
    ]),
  )
}

/** A course with a past, a running and a future homework, and their times. */
async function createTerm() {
  const world = await createCourse()
  const now = nowSeconds()
  const times: Times = {
    over: { start: now - 9 * DAY, end: now - 2 * DAY },
    running: { start: now - DAY, end: now + 3 * DAY },
    ends: { start: now - DAY, end: now + 2 * HOUR },
    comes: { start: now + 2 * DAY, end: now + 9 * DAY },
    never: { start: now + DAY, end: 8_640_000_000_000 },
  }
  for (const [name, form] of Object.entries(times))
    await world.teacher.post('/homework', { courseName: world.course, name, ...form })
  return { ...world, times, now }
}

test('with another time zone homeworks begin and end at the same instants', async () => {
  const { course, teacher, student, times } = await createTerm()
  const edit = { course, timeZone: 'Asia/Taipei' }
  expect((await student.put('/course', edit)).status).toBe(403)
  expect((await teacher.put('/course', { course, timeZone: 'Mars/Base' })).data[0].path).toEqual([
    'timeZone',
  ])
  expect((await teacher.put('/course', edit)).status).toBe(200)
  expect((await teacher.get(`/course/${course}`)).data.timeZone).toBe('Asia/Taipei')
  expect(await timesOf(teacher, course)).toEqual(times)
  // An edit that does not name the time zone keeps it.
  await teacher.put('/course', { course, teacher: teacher.username })
  expect((await teacher.get(`/course/${course}`)).data.timeZone).toBe('Asia/Taipei')
  const [noted] = await allRows`select detail from audit_entries
    where action = 'course.edit' and subject = ${course} order by id limit 1`
  expect(JSON.parse(String(noted?.detail))).toEqual({
    newCourse: course,
    timeZone: 'Asia/Taipei',
    keepsWallTimes: false,
  })
})

test('what is still to come keeps its wall time where the edit says so, and what is past stays', async () => {
  const { course, teacher, times, now } = await createTerm()
  const other = await createTerm()
  const edit = { course, timeZone: 'Asia/Taipei', keepWallTimes: true }
  expect((await teacher.put('/course', edit)).status).toBe(200)
  const moved = await timesOf(teacher, course)
  expect(moved).toMatchObject({
    over: times.over,
    running: { start: now - DAY, end: now + 3 * DAY - AHEAD },
    comes: { start: now + 2 * DAY - AHEAD, end: now + 9 * DAY - AHEAD },
    never: { start: now + DAY - AHEAD, end: 8_640_000_000_000 },
  })
  // It would have ended six hours ago, so it ends now.
  expect(moved.ends?.start).toBe(now - DAY)
  expect(moved.ends?.end).toBeGreaterThanOrEqual(now)
  expect(moved.ends?.end).toBeLessThan(now + HOUR)
  expect(await timesOf(other.teacher, other.course)).toEqual(other.times)
  // Setting the same zone again moves nothing.
  expect((await teacher.put('/course', edit)).status).toBe(200)
  expect(await timesOf(teacher, course)).toMatchObject({ comes: moved.comes })
})

test('times for closing move, too, and so do those of overrides, also of a homework that is over for the others', async () => {
  const { course, teacher, student, now } = await createTerm()
  const { data } = await teacher.get(`/course/${course}/homework`)
  const idOf = (name: string) => data.find((each: { name: string }) => each.name === name).id
  const close = now + 20 * DAY
  await runSql`update homeworks set close_at = ${close} where id in (${idOf('over')}, ${idOf('comes')})`
  await insertOverride(idOf('running'), student, teacher, { due: now + 5 * DAY })
  await insertOverride(idOf('ends'), null, teacher, { closes: now + 6 * DAY })
  const own = { opens: now - 8 * DAY, due: now + 7 * DAY }
  await insertOverride(idOf('over'), student, teacher, own)
  await teacher.put('/course', { course, timeZone: 'Asia/Taipei', keepWallTimes: true })
  for (const name of ['over', 'comes'])
    expect((await teacher.get(`/homework/${idOf(name)}`)).data.close).toBe(close - AHEAD)
  const moved =
    await allRows`select opens, due, closes from homework_overrides order by id desc limit 3`
  expect(moved).toEqual([
    { opens: own.opens, due: own.due - AHEAD, closes: null },
    { opens: null, due: null, closes: now + 6 * DAY - AHEAD },
    { opens: null, due: now + 5 * DAY - AHEAD, closes: null },
  ])
})

test('an override moves without a trace in a homework that is over for the others, and none moves in another course', async () => {
  const { course, teacher, student, now } = await createTerm()
  const other = await createTerm()
  const idOf = async (name: string, as = teacher, of = course) => {
    const { data } = await as.get(`/course/${of}/homework`)
    return data.find((each: { name: string }) => each.name === name).id
  }
  const due = now + 5 * DAY
  const foreign = await idOf('over', other.teacher, other.course)
  await insertOverride(await idOf('over'), student, teacher, { due })
  await insertOverride(foreign, other.student, other.teacher, { due })
  await runSql`update homeworks set updated_at = 1`
  await teacher.put('/course', { course, timeZone: 'Asia/Taipei', keepWallTimes: true })
  const moved = await allRows`select due, updated_at from homework_overrides
    join homeworks on homeworks.id = homework_id order by homework_overrides.id desc limit 2`
  expect(moved).toEqual([
    { due, updated_at: 1 },
    { due: due - AHEAD, updated_at: 1 },
  ])
  expect(
    await allRows`select updated_at > 1 as edited from homeworks where id = ${await idOf('comes')}`,
  ).toEqual([{ edited: 1 }])
})

test('a course says which submission counts where a homework does not', async () => {
  const { course, teacher, student } = await createTerm()
  expect((await teacher.get(`/course/${course}`)).data.counts).toBe('best')
  expect((await student.put('/course', { course, counts: 'last' })).status).toBe(403)
  expect((await teacher.put('/course', { course, counts: 'last' })).status).toBe(200)
  expect((await teacher.put('/course', { course, timeZone: 'Asia/Taipei' })).status).toBe(200)
  expect((await student.get(`/course/${course}`)).data.counts).toBe('last')
  const [homework] = (await student.get('/homework')).data
  expect(homework).toMatchObject({ counts: null, courseCounts: 'last' })
})

test('a form of a homework that was opened before its times moved is refused', async () => {
  const { course, teacher } = await createTerm()
  const { data } = await teacher.get(`/course/${course}/homework`)
  const { id, name, start, end } = data.find(({ name }: { name: string }) => name === 'comes')
  const etag = (await teacher.get(`/homework/${id}`)).headers.get('ETag') ?? ''
  await teacher.put('/course', { course, timeZone: 'Asia/Taipei', keepWallTimes: true })
  const stale = await teacher.put(`/homework/${id}`, { name, start, end }, { 'If-Match': etag })
  expect(stale.code).toBe('stale_edit')
})

test('an edit of the course that is refused or out of date moves no homework', async () => {
  const { course, teacher, times } = await createTerm()
  const zone = { course, timeZone: 'Asia/Taipei', keepWallTimes: true }
  const refused = await teacher.put('/course', { ...zone, teacher: 'nobody-there' })
  expect(refused.code).toBe('user_not_found')
  const db = openDb(env.DB)
  const actor = await findUser(db, teacher.username)
  const read = actor && (await findStanding(db, actor, course))
  if (!read) throw new Error('nothing there')
  const change = { actor, now: nowSeconds(), ip: '127.0.0.1' }
  // Another person has set a third zone since the read.
  await teacher.put('/course', { course, timeZone: 'Asia/Tokyo' })
  await expect(updateCourse(db, read, zone, null, change)).rejects.toMatchObject({
    code: 'stale_edit',
  })
  expect((await teacher.get(`/course/${course}`)).data.timeZone).toBe('Asia/Tokyo')
  expect(await timesOf(teacher, course)).toEqual(times)
})
