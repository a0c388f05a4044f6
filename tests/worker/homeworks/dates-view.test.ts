/** The view `homework_dates` says of each person what `DatesReader` says, which pages use. */
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { homeworks } from '../../../worker/db/schema.ts'
import {
  DatesReader,
  selectLabelled,
  selectOverrides,
} from '../../../worker/features/homeworks/own-dates.ts'
import { dates, overrides } from '../../support/random-dates.ts'
import { storeHomeworks, type DatedHomework } from '../support/dated-homeworks.ts'
import { allRows } from '../support/sql.ts'

const db = openDb(env.DB)

const LABELS = 3

const set = fc
  .tuple(overrides, fc.constantFrom('', '', 'ill', 'lab'))
  .map(([fields, reason]) => ({ ...fields, reason }))

/** A homework with labels, two students and one who was a student. */
const random: fc.Arbitrary<DatedHomework> = fc.record({
  homework: dates,
  forAll: fc.option(set),
  labels: fc.array(fc.option(set), { minLength: LABELS, maxLength: LABELS }),
  people: fc.tuple(
    ...(['student', 'student', 'ta'] as const).map((role) =>
      fc.record({
        role: fc.constant(role),
        override: fc.option(set),
        labels: fc.subarray([...Array(LABELS).keys()]),
      }),
    ),
  ),
})

test('the view and the reader agree about people, labels and all in random homeworks', async () => {
  const stored = await storeHomeworks(fc.sample(random, 400))
  const list = JSON.stringify(stored.map(({ id }) => id))
  const which = sql`${homeworks.id} in (select value from json_each(${list}))`
  const userIds = stored.flatMap((each) => each.userIds)
  const people = sql`(select value from json_each(${JSON.stringify(userIds)}))`
  const [rows, overrideRows, labelled] = await db.batch([
    db.select().from(homeworks).where(which),
    selectOverrides(db, which, people),
    selectLabelled(db, which, people),
  ])
  const reader = new DatesReader(overrideRows, labelled)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const pairs = JSON.stringify(
    stored.flatMap(({ id, userIds: own }) => own.map((user) => ({ id, user }))),
  )
  const viewed = await allRows<{ homework: string; user: number; excused: number }>`
    select homework_id as homework, user_id as user, opens, due, closes, grace_minutes as graceMinutes, late_percent as latePercent,
      quota, excused, why
    from json_each(${pairs}) join homework_dates on homework_id = value ->> 'id' and user_id = value ->> 'user'`
  expect(viewed).toHaveLength(userIds.length)
  const computed = viewed.map(({ homework, user }) => {
    const row = byId.get(homework)
    if (!row) throw new Error('there is no such homework')
    const { quota } = reader.datesOf(row, user)
    return { homework, user, ...reader.ownDatesOf(row, user), quota }
  })
  // Each kind of value must be there, else the comparison says little.
  expect(new Set(computed.map(({ why }) => why))).toEqual(new Set([null, '', 'ill', 'lab']))
  expect(computed.map(({ quota }) => quota)).toContain(-1)
  expect(viewed.map((row) => ({ ...row, excused: row.excused === 1 }))).toEqual(computed)
})
