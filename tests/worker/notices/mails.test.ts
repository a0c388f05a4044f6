/** Mails with notices: one mail for all that is new, none lost, and none for whoever may not read it any more. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { nextDigestAt } from '../../../worker/db/notices.ts'
import { noticeLetter } from '../../../worker/features/notices/mail-letter.ts'
import { leaseEndOf } from '../../../worker/features/notices/mail-queries.ts'
import { getSetupFacts } from '../../../worker/features/setup/queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { MailLimited, type Mail } from '../../../worker/lib/mail.ts'
import { recordingD1 } from '../../../scripts/bench/worker/recording-d1.ts'
import { announce, db, mailAt, mortalDb, newBox, notify } from '../support/notice-mails.ts'
import { allRows, firstValue, numbersBelow, runSql } from '../support/sql.ts'
import { createCourse } from '../support/world.ts'

const DAY = 86_400
/** A time after everybody joined, at no full minute. */
const NOW = nowSeconds() - (nowSeconds() % 60) + 7_200 + 17

const nobodyJudges = (course: string, now: number) =>
  notify(course, now, { kind: 'nobody_judges', subjectId: course, at: now })
const countMarks = () => firstValue`select count(*) from notice_mails`

beforeEach(async () => {
  await runSql`delete from notice_mails`
  await runSql`delete from vitals`
})

test('a digest of twenty things is one mail, and a thing mailed once is in no mail again', async () => {
  const { course, teacher, ta, student } = await createCourse()
  for (let count = 0; count < 20; count += 1) await announce(course, ta, `Title ${count}`, NOW)
  const box = newBox()
  await mailAt(NOW + 60, box)
  expect(box.mails).toEqual([])
  const morning = nextDigestAt(NOW, 'UTC')
  await mailAt(morning, box)
  expect([box.mails.length, box.to(teacher).length, box.to(student).length]).toEqual([2, 1, 1])
  const [mail] = box.to(student)
  expect(mail?.subject).toBe(`20 new in ${course}`)
  expect(mail?.text.match(/- New announcement/g)).toHaveLength(20)
  const id = await firstValue<string>`select max(id) from announcements where title = 'Title 19'`
  expect(mail?.text).toContain(
    `https://judge.test/course/${encodeURIComponent(course)}/announcements/${id}\n`,
  )
  expect(await countMarks()).toBe(0)
  await announce(course, ta, 'One more', morning + 60)
  await mailAt(morning + DAY, box)
  expect(box.to(student).map(({ subject }) => subject)).toEqual([
    `20 new in ${course}`,
    `${course}: New announcement: “One more”`,
  ])
  expect(await firstValue`select value from vitals where name = 'mails_of_day'`).toBe(2)
})

test('a mail at once has the news that wait for the morning, and the morning brings no second mail', async () => {
  const { course, ta, teacher } = await createCourse()
  await announce(course, ta, 'Early', NOW)
  await nobodyJudges(course, NOW)
  const box = newBox()
  await mailAt(NOW, box)
  expect(box.to(teacher).map(({ subject }) => subject)).toEqual([`2 new in ${course}`])
  await mailAt(nextDigestAt(NOW, 'UTC'), box)
  expect(box.to(teacher)).toHaveLength(1)
  expect(await countMarks()).toBe(0)
})

test('whenever the Worker dies, every mail goes out; one at most is repeated, with the same key', async () => {
  const { course, teacher, ta } = await createCourse()
  let repeats = 0
  let deaths = 0
  for (let trips = 0; trips < 12; trips += 1) {
    const now = NOW + trips * 6_000
    await nobodyJudges(course, now)
    const box = newBox()
    const died = await mailAt(now, box, { client: mortalDb(trips) }).then(
      () => 0,
      () => 1,
    )
    deaths += died
    await mailAt(leaseEndOf(now) - 1, box)
    const [before, late] = [box.mails.length, leaseEndOf(now)]
    if (died) await mailAt(late, box)
    for (const person of [teacher, ta]) {
      const keys = box.to(person).map(({ idempotencyKey }) => idempotencyKey)
      expect([trips, new Set(keys).size]).toEqual([trips, 1])
      expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
    }
    expect([2, 3]).toContain(box.mails.length)
    expect(before).toBeLessThanOrEqual(2)
    repeats += box.mails.length - 2
    expect([trips, await countMarks()]).toEqual([trips, 0])
  }
  // Both people may get a repeated mail, each if the Worker dies right after the service has taken theirs.
  expect(repeats).toBe(2)
  expect(deaths).toBeGreaterThan(4)
  expect(deaths).toBeLessThan(12)
})

test('two sweeps at once send one mail to each', async () => {
  const { course, teacher, ta } = await createCourse()
  await nobodyJudges(course, NOW)
  const box = newBox()
  await Promise.all([mailAt(NOW, box), mailAt(NOW + 1, box)])
  expect([box.to(teacher).length, box.to(ta).length, box.mails.length]).toEqual([1, 1, 2])
})

test('while a sweep mails somebody, no other sweep does, even with something newer', async () => {
  const { course, teacher, ta } = await createCourse()
  await nobodyJudges(course, NOW)
  const box = newBox()
  const slow = {
    async send(mail: Mail) {
      if (box.mails.length === 0) {
        await nobodyJudges(course, NOW + 1)
        await mailAt(NOW + 60, box)
        expect(box.mails).toEqual([])
      }
      await box.send(mail)
    },
  }
  await mailAt(NOW, slow)
  expect([box.to(teacher).length, box.to(ta).length]).toEqual([1, 1])
  await mailAt(NOW + 120, box)
  expect([box.to(teacher).length, box.to(ta).length]).toEqual([2, 2])
})

test('a mark for the morning that is made while a mail is under way stays', async () => {
  const { course, teacher, ta } = await createCourse()
  const morning = nextDigestAt(NOW, 'UTC')
  const now = morning - 600
  await nobodyJudges(course, now)
  const box = newBox()
  const slow = {
    async send(mail: Mail) {
      if (box.mails.length === 0) await announce(course, ta, 'Meanwhile', now)
      await box.send(mail)
    },
  }
  await mailAt(now, slow)
  await mailAt(morning, box)
  expect(box.to(teacher).map(({ subject }) => subject)).toEqual([
    `${course}: Submissions wait, and no judge host takes them`,
    `${course}: New announcement: “Meanwhile”`,
  ])
})

test('the first mail of a person reads and has the news of seven days, not all that ever was', async () => {
  const { course, teacher, student } = await createCourse()
  await runSql`update memberships set joined_at = 1 where user_id = ${student.id}`
  await runSql`insert into notices (kind, course_id, created_at) select 'own_dates', courses.id, ${NOW - 8 * DAY}
    from courses, json_each(${numbersBelow(500)}) where name = ${course}`
  await announce(course, teacher, 'New', NOW)
  const recorded = recordingD1(env.DB)
  const box = newBox()
  await mailAt(nextDigestAt(NOW, 'UTC'), box, { client: openDb(recorded.db) })
  expect(box.to(student).map(({ subject }) => subject)).toEqual([
    `${course}: New announcement: “New”`,
  ])
  expect(recorded.trips.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBeLessThan(400)
})

describe('nothing goes to', () => {
  test('who left the course or has no confirmed address by then', async () => {
    const { course, teacher, ta, student } = await createCourse()
    await announce(course, teacher, 'Secret', NOW)
    await teacher.patch(`/course/${course}/members`, { remove: [student.username] })
    await runSql`update users set email_confirmed_at = null where id = ${ta.id}`
    const box = newBox()
    await mailAt(nextDigestAt(NOW, 'UTC'), box)
    expect(box.mails).toEqual([])
    expect(await countMarks()).toBe(0)
  })

  test('what was deleted', async () => {
    const { course, teacher } = await createCourse()
    await announce(course, teacher, 'Gone', NOW)
    await runSql`update announcements set deleted_at = 1 where title = 'Gone'`
    const box = newBox()
    await mailAt(nextDigestAt(NOW, 'UTC'), box)
    expect(box.mails).toEqual([])
  })
})

describe('mails wait', () => {
  test('at four fifths of the daily number until the next day', async () => {
    const { course, teacher } = await createCourse()
    const now = NOW - (NOW % DAY) + DAY + 61
    await nobodyJudges(course, now)
    await runSql`insert into vitals (name, value) values ('mail_day', ${Math.floor(now / DAY)}), ('mails_of_day', 7)`
    const box = newBox()
    const settings = { MAIL_DAILY_LIMIT: '10' }
    await mailAt(now, box, { settings })
    expect(box.mails).toHaveLength(1)
    await mailAt(now + 60, box, { settings })
    expect(box.mails).toHaveLength(1)
    await mailAt(now + 120, box, { settings })
    const midnight = now - 61 + DAY
    expect(await firstValue`select value from vitals where name = 'notices_resume_at'`).toBe(
      midnight,
    )
    expect((await getSetupFacts(db, now + 120)).waiting).toEqual({ mails: 1, until: midnight })
    expect((await getSetupFacts(db, midnight)).waiting).toBe(null)
    await mailAt(midnight, box, { settings })
    expect(box.mails).toHaveLength(2)
    expect(box.to(teacher)).toHaveLength(1)
  })

  test('as long as the service asks, and lose nobody', async () => {
    const { course } = await createCourse()
    await nobodyJudges(course, NOW)
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const busy = { send: () => Promise.reject(new MailLimited(3_600)) }
    await mailAt(NOW, busy)
    log.mockRestore()
    expect(await allRows`select due_at as "dueAt" from notice_mails group by 1`).toEqual([
      { dueAt: NOW },
    ])
    const box = newBox()
    await mailAt(NOW + 3_599, box)
    expect(box.mails).toHaveLength(0)
    await mailAt(NOW + 3_600, box)
    expect(box.mails).toHaveLength(2)
  })
})

test('a refused mail is tried again when its lease is over, until its news are two days old', async () => {
  const { course } = await createCourse()
  await nobodyJudges(course, NOW)
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const wait = vi.spyOn(scheduler, 'wait').mockResolvedValue(undefined)
  let tries = 0
  const send = () => {
    tries += 1
    return Promise.reject(new Error('no'))
  }
  for (const [at, whole, marks] of [
    [NOW, 6, 2],
    [leaseEndOf(NOW) - 1, 6, 2],
    [leaseEndOf(NOW), 12, 2],
    [NOW + 2 * DAY, 18, 2],
    [NOW + 3 * DAY, 24, 0],
  ] as const) {
    await mailAt(at, { send })
    expect([at, tries, await countMarks()]).toEqual([at, whole, marks])
  }
  expect(await firstValue`select value from vitals where name = 'mail_errors'`).toBe(2)
  log.mockRestore()
  wait.mockRestore()
})

test('a letter keeps hostile names on one line', () => {
  const title = 'A\r\nBcc: x@example.test\u2028\u202Eevil'
  const to = { to: 'a@example.test', token: 'TOKEN' }
  const item = { kind: 'announcement', course: 'C\n1/2', title, subjectId: 'ab' } as const
  const mail = noticeLetter('https://judge.test', to, [item])
  expect(mail.subject).toBe('C 1/2: New announcement: “A Bcc: x@example.test evil”')
  expect(mail.text.split('\n').filter((line) => line.startsWith('Bcc'))).toEqual([])
  expect(mail.text).toContain('https://judge.test/course/C%0A1%2F2/announcements/ab\n')
  expect(mail.headers).toEqual({
    'List-Unsubscribe': '<https://judge.test/api/notices/unsubscribe?token=TOKEN>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  const many = noticeLetter(
    'https://judge.test',
    to,
    Array.from({ length: 53 }, () => item),
  )
  expect(many.text).toContain('And 3 more: https://judge.test/notices')
  expect(many.text.match(/^- /gm)).toHaveLength(50)
})
