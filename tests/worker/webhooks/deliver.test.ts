/** What is new for staff reaches the webhook of a course: in order, once, signed, and again until it is taken. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { deliverWebhooks } from '../../../worker/features/webhooks/deliver.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { allRows, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import { addNotices, createHooked } from '../support/webhooks.ts'

const now = nowSeconds()
const HOUR = 3_600

const sweepAt = (at: number) => deliverWebhooks(workerEnv, openDb(env.DB), at)

beforeEach(() => runSql`delete from course_webhooks`)

const subjectsOf = (received: { event: { data: { subjectId: string | null } } }[]) =>
  received.map(({ event }) => event.data.subjectId)

test('events arrive signed and in order, without those of others, of earlier and for students', async () => {
  const { course, received, state } = await createHooked()
  const other = await createHooked()
  await addNotices(other.course, ['question', 'x'])
  await addNotices(course, ['question', 'a'], ['announcement', 'b'], ['judge_error', 'c'])
  await addNotices(course, ['request', 'd'], ['regrade', 'g'], ['marks_shown', 'h'])
  await addNotices(course, ['nobody_judges', 'e'], ['join_request', 'f'])
  await sweepAt(now)
  await sweepAt(now + 60)
  const events = (await received()).map(({ event }) => event)
  const page = `https://judge.test/course/${encodeURIComponent(course)}`
  expect(events.map(({ type, data }) => [type, data.subjectId, data.url])).toEqual([
    ['question', 'a', `${page}/question/a`],
    ['judge_error', 'c', `${page}/submission/c`],
    ['request', 'd', `${page}/question/d`],
    ['regrade', 'g', `${page}/question/g`],
    // Its subject is the course, which `data.course` names.
    ['nobody_judges', null, `${page}/submissions`],
  ])
  expect(events[0]).toEqual({
    type: 'question',
    timestamp: '2023-11-14T22:13:20.000Z',
    data: { course, subjectId: 'a', url: `${page}/question/a` },
  })
  expect(subjectsOf(await other.received())).toEqual(['x'])
  expect(await state()).toMatchObject({ failingSince: null, fault: null, offAt: null })
})

test('more events than one sweep takes arrive with the next one', async () => {
  const { course, received } = await createHooked()
  const subjects = Array.from({ length: 25 }, (_, index) => `s${index}`)
  await addNotices(course, ...subjects.map((id): [string, string] => ['question', id]))
  await sweepAt(now)
  expect(subjectsOf(await received())).toEqual(subjects.slice(0, 20))
  await sweepAt(now + 60)
  expect(subjectsOf(await received())).toEqual(subjects)
})

test('a refused event is sent again with the same id, later each time, and nothing overtakes it', async () => {
  const { course, received, answerWith, state } = await createHooked(500)
  await addNotices(course, ['question', 'a'], ['question', 'b'])
  for (const [at, count] of [
    [0, 1],
    [59, 1],
    [60, 2],
    [179, 2],
    [180, 3],
    [420, 4],
  ] as const) {
    await sweepAt(now + at)
    expect([at, await received()]).toMatchObject([at, { length: count }])
  }
  const tries = await received()
  expect(new Set(tries.map(({ id }) => id)).size).toBe(1)
  expect(await state()).toMatchObject({ failingSince: now, fault: '500', offAt: null })
  await answerWith(204)
  await sweepAt(now + 900)
  const taken = await received(204)
  expect(subjectsOf(taken)).toEqual(['a', 'b'])
  expect(taken[0]?.id).toBe(tries[0]?.id)
  expect(await state()).toMatchObject({ failingSince: null, fault: null })
})

test('a webhook that fails for a day is off, and the managers of the course are told once', async () => {
  const { course, received, state, teacher, path } = await createHooked(410)
  await addNotices(course, ['question', 'a'])
  for (let hour = 0; hour < 30; hour += 1) await sweepAt(now + hour * HOUR)
  expect(await received()).toHaveLength(25)
  expect(await state()).toMatchObject({ fault: '410', offAt: now + 24 * HOUR })
  const told = () =>
    allRows`select notices.user_id, actor_id, subject_id from notices join courses on courses.id = course_id
      where name = ${course} and kind = 'webhook_off'`
  expect(await told()).toEqual([{ user_id: null, actor_id: null, subject_id: null }])
  // Setting it again begins anew, without what it missed.
  await teacher.put(path, { url: 'https://hooks.example.org/in' })
  expect(await state()).toMatchObject({ failingSince: null, fault: null, offAt: null })
  await sweepAt(now + 40 * HOUR)
  expect(await told()).toHaveLength(1)
  expect(await state()).toMatchObject({ failingSince: null })
})

test('a redirect is not followed, and counts as a failure', async () => {
  const { course, received, elsewhere, state } = await createHooked(302)
  await addNotices(course, ['question', 'a'])
  await sweepAt(now)
  expect(subjectsOf(await received())).toEqual(['a'])
  expect(await elsewhere()).toEqual([])
  expect(await state()).toMatchObject({ fault: '302' })
})

test('two sweeps at once send an event once', async () => {
  const { course, received } = await createHooked()
  await addNotices(course, ['question', 'a'], ['question', 'b'])
  await Promise.all([sweepAt(now), sweepAt(now), sweepAt(now)])
  expect(subjectsOf(await received())).toEqual(['a', 'b'])
})

test('a webhook that hangs keeps no other course waiting, and is a failure in the end', async () => {
  const slow = await createHooked('held')
  await addNotices(slow.course, ['question', 'a'])
  const quick = await createHooked()
  await addNotices(quick.course, ['question', 'b'])
  const sweeping = sweepAt(now)
  await vi.waitUntil(async () => (await quick.received()).length === 1, { timeout: 7_000 })
  expect(await slow.state()).toMatchObject({ fault: null })
  await sweeping
  expect(await slow.state()).toMatchObject({ failingSince: now, fault: 'silent' })
  expect(subjectsOf(await slow.received())).toEqual(['a'])
})

test('what a sweep left that died between an answer and its next statement is sent again with the same id', async () => {
  const { course, received, secret } = await createHooked()
  await addNotices(course, ['question', 'a'], ['question', 'b'])
  await runSql`update course_webhooks set next_try_at = ${now + 120} where secret = ${secret}`
  await sweepAt(now + 60)
  expect(await received()).toEqual([])
  await sweepAt(now + 120)
  await runSql`update course_webhooks set sent_id = sent_id - 1 where secret = ${secret}`
  await sweepAt(now + 180)
  const ids = (await received()).map(({ id }) => id)
  expect(ids).toEqual([ids[0], ids[1], ids[1]])
})

test('an address that was replaced or removed meanwhile gets nothing more', async () => {
  const { course, received, state, teacher, path } = await createHooked('held')
  await addNotices(course, ['question', 'a'], ['question', 'b'])
  const sweeping = sweepAt(now)
  await vi.waitUntil(
    async () =>
      (await allRows`select 1 from course_webhooks where next_try_at > ${now}`).length === 1,
    { timeout: 7_000 },
  )
  await teacher.put(path, { url: 'https://new.example.org/in' })
  await vi.waitUntil(async () => (await received()).length === 1, { timeout: 7_000 })
  await sweeping
  expect(subjectsOf(await received())).toEqual(['a'])
  expect(await state()).toMatchObject({ failingSince: null, fault: null })
})

test('a deleted course sends nothing, and what waited once it is back', async () => {
  const { course, received, teacher } = await createHooked()
  await addNotices(course, ['question', 'a'])
  await teacher.delete('/course', { course })
  await sweepAt(now)
  expect(await received()).toEqual([])
  await teacher.post(`/course/${course}/restore`)
  await sweepAt(now + 60)
  expect(subjectsOf(await received())).toEqual(['a'])
})
