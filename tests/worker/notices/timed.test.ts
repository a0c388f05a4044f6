/** Notices that the clock makes: once each, for those whom they concern, and with few rows read. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { deleteOldNotices } from '../../../worker/features/notices/timed-queries.ts'
import { makeTimedNotices } from '../../../worker/features/notices/timed.ts'
import { recordingD1 } from '../../../scripts/bench/worker/recording-d1.ts'
import { createDatedHomework, HOUR } from '../support/dated-homework.ts'
import { db, idOfCourse, mailAt, newBox, notify } from '../support/notice-mails.ts'
import { allRows, firstValue, numbersBelow, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import { addStudents, createCourse, submit, type Person } from '../support/world.ts'

const DAY = 86_400

const make = (now: number, client = db) =>
  makeTimedNotices(Object.assign({ ...workerEnv }, { LIVE_UPDATES: 'off' }), client, now)

/** Kinds and times of the notices of a course. */
const madeIn = async (course: string) =>
  allRows`select kind, at from notices where course_id = ${await idOfCourse(course)} order by kind, at`

/** The kinds of notices that a person sees about a homework. */
const seenBy = async (person: Person): Promise<string[]> =>
  (await person.get('/notices')).data.items.map(({ kind }: { kind: string }) => kind)

beforeEach(async () => {
  await runSql`delete from notice_mails`
  await runSql`delete from homeworks`
  await runSql`delete from notices`
})

describe('a homework opens', () => {
  test('once for everybody, and once for those with a date of their own', async () => {
    const world = await createDatedHomework({ start: 0, end: 1, close: 2 })
    const { course, homeworkId, student, ta, now } = world
    const [early = student] = await addStudents(world, 1)
    await runSql`update homeworks set start_at = ${now - 60}, end_at = ${now + 9 * DAY}, close_at = null where id = ${homeworkId}`
    await runSql`insert into homework_overrides (homework_id, user_id, opens, setter_id, set_at)
      values (${homeworkId}, ${early.id}, ${now - 600}, ${ta.id}, ${now})`
    await runSql`update memberships set joined_at = 0`
    await runSql`delete from notices`
    await make(now - 601)
    expect(await madeIn(course)).toEqual([])
    await make(now - 600)
    expect(await allRows`select at from notices`).toEqual([{ at: now - 600 }])
    await Promise.all([make(now), make(now), make(now + 60)])
    expect(await madeIn(course)).toEqual(
      [now - 600, now - 60].map((at) => ({ kind: 'homework_opens', at })),
    )
    expect(await seenBy(student)).toEqual(['homework_opens'])
    expect(await seenBy(early)).toEqual(['homework_opens'])
    expect(await seenBy(ta)).toEqual([])
  })

  test('also when the sweeper stood still, for an hour', async () => {
    const { course, homeworkId, now } = await createDatedHomework()
    await runSql`update homeworks set start_at = ${now}, end_at = ${now + 9 * DAY}, close_at = null where id = ${homeworkId}`
    await runSql`delete from notices`
    await make(now + HOUR)
    expect(await madeIn(course)).toEqual([])
    await make(now + HOUR - 1)
    expect(await madeIn(course)).toEqual([{ kind: 'homework_opens', at: now }])
  })
})

test('what is due within a day is mailed at once to those who have handed in nothing', async () => {
  const world = await createDatedHomework()
  const { course, homeworkId, problemId, student, ta, now } = world
  const [diligent = student, excused = student, later = student] = await addStudents(world, 3)
  const due = now + DAY
  await runSql`update homeworks set end_at = ${due}, close_at = null where id = ${homeworkId}`
  for (const [person, ownDue, isExcused] of [
    [excused, null, 1],
    [later, due + DAY, 0],
  ] as const)
    await runSql`insert into homework_overrides (homework_id, user_id, due, excused, setter_id, set_at)
      values (${homeworkId}, ${person.id}, ${ownDue}, ${isExcused}, ${ta.id}, ${now})`
  await submit(diligent, problemId)
  await runSql`delete from notices`
  await runSql`delete from notice_mails`
  await make(now - 1)
  expect(await madeIn(course)).toEqual([])
  await make(now)
  await make(now + 60)
  expect(await madeIn(course)).toEqual([{ kind: 'due_tomorrow', at: due }])
  const box = newBox()
  await mailAt(now + 60, box)
  expect(box.mails.map(({ to }) => to)).toEqual([`${student.username}@example.test`])
  expect(box.mails[0]?.subject).toContain('is due within a day, and you have handed in nothing')
  await make(now + DAY)
  expect(await madeIn(course)).toEqual([
    { kind: 'due_tomorrow', at: due },
    { kind: 'due_tomorrow', at: due + DAY },
  ])
  await mailAt(now + DAY, box)
  expect(box.mails.slice(1).map(({ to }) => to)).toEqual([`${later.username}@example.test`])
  expect(await seenBy(diligent)).toEqual([])
  // Once it is over, nobody is told any more that it will be.
  expect(await seenBy(student)).toEqual(['due_tomorrow'])
  await runSql`update homeworks set end_at = ${now - 1} where id = ${homeworkId}`
  await runSql`update notices set at = ${now - 1} where at = ${due}`
  expect(await seenBy(student)).toEqual([])
})

test('what is due within the hour is not announced any more', async () => {
  const { course, homeworkId, now } = await createDatedHomework()
  await runSql`update homeworks set end_at = ${now + HOUR}, close_at = null where id = ${homeworkId}`
  await runSql`delete from notices`
  await make(now)
  expect(await madeIn(course)).toEqual([])
  await make(now - 1)
  expect(await madeIn(course)).toEqual([{ kind: 'due_tomorrow', at: now + HOUR }])
})

test('a Judge Error makes one notice for staff, however often it is judged', async () => {
  const { problemId, student, ta, now } = await createDatedHomework()
  const id = await submit(student, problemId)
  await runSql`update judgements set state = 'done', status = 6, finished_at = ${now} where submission_id = ${id}`
  await runSql`update submissions set status = 6 where id = ${id}`
  await runSql`delete from notices`
  await make(now)
  await runSql`update judgements set finished_at = ${now + 60} where submission_id = ${id}`
  await make(now + 60)
  expect(await allRows`select kind, subject_id as "subjectId" from notices`).toEqual([
    { kind: 'judge_error', subjectId: id },
  ])
  expect(await seenBy(ta)).toEqual(['judge_error'])
  expect(await seenBy(student)).toEqual([])
})

test('when nobody judges, staff of courses with waiting submissions hear once of each alarm', async () => {
  const { course, problemId, student, ta, now } = await createDatedHomework()
  await submit(student, problemId)
  await submit(student, problemId)
  await createCourse()
  await runSql`delete from notices`
  await make(now)
  expect(await madeIn(course)).toEqual([])
  await runSql`insert into alarms (state, since, next_at) values ('nobody_judges', ${now}, ${now})`
  await make(now)
  await make(now + 60)
  expect(await madeIn(course)).toEqual([{ kind: 'nobody_judges', at: now }])
  expect((await ta.get('/notices')).data.items).toMatchObject([
    { kind: 'nobody_judges', course, subjectId: null },
  ])
  await runSql`update alarms set over_at = ${now}`
  await make(now + 120)
  await runSql`update alarms set over_at = null, since = ${now + 180}`
  await make(now + 180)
  expect(await madeIn(course)).toHaveLength(2)
  await runSql`delete from alarms`
})

test('a sweep with nothing to do reads few rows among two hundred homeworks and many notices', async () => {
  const { course, now, ta } = await createDatedHomework()
  const far = now + 90 * DAY
  await runSql`insert into homeworks (id, course_id, name, markdown, start_at, end_at, scoreboard_status, created_at, updated_at)
    select printf('%024d', value), (select id from courses where name = ${course}), 'H' || value, '', ${far} - value * 86400, ${far} + value * 86400, 0, 1, 1
    from json_each(${numbersBelow(200)}) where value > 30`
  await notify(course, now, { kind: 'join_request', actorId: ta.id })
  await runSql`insert into notices (kind, course_id, created_at) select 'join_request', courses.id, ${now} from courses, json_each(${numbersBelow(200)}) where courses.name = ${course}`
  await runSql`delete from alarms`
  const recorded = recordingD1(env.DB)
  await make(far + DAY, openDb(recorded.db))
  await deleteOldNotices(openDb(recorded.db), now)
  await mailAt(now - 10, newBox(), { client: openDb(recorded.db) })
  const rows = recorded.trips.reduce((sum, { rowsRead }) => sum + rowsRead, 0)
  expect(recorded.trips).toHaveLength(3)
  expect(rows).toBeLessThan(20)
})

test('notices are kept for sixty days', async () => {
  const { course, now } = await createDatedHomework()
  await runSql`delete from notices`
  for (const at of [now, now + 1]) await notify(course, at, { kind: 'join_request' })
  await deleteOldNotices(db, now + 60 * DAY)
  expect(await firstValue`select count(*) from notices`).toBe(2)
  await deleteOldNotices(db, now + 60 * DAY + 1)
  expect(await allRows`select created_at as at from notices`).toEqual([{ at: now + 1 }])
})
