/** A condition of a batch is one statement: if it does not hold, the database refuses the whole batch. */
import { env } from 'cloudflare:workers'
import { sql, type SQL } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openDb, rawQuery } from '../../../worker/db/client.ts'
import { demand } from '../../../worker/db/demand.ts'
import { refusalOf } from '../../../worker/db/refusal.ts'
import { vitals } from '../../../worker/db/schema.ts'

const db = openDb(env.DB)

/** Writes a row before a statement and one after it; answers the error, if any, and the number of rows. */
async function writeAround(statement: ReturnType<typeof demand>) {
  await db.delete(vitals)
  const error: unknown = await db
    .batch([
      db.insert(vitals).values({ name: 'swept_at', value: 1 }),
      statement,
      db.insert(vitals).values({ name: 'api_errors', value: 1 }),
    ])
    .then(() => null)
    .catch((thrown: unknown) => thrown)
  return { error, rows: (await db.select().from(vitals)).length }
}

test('a demand that holds writes nothing of its own; one that is false, or null, undoes the whole batch', async () => {
  expect(await writeAround(demand(db, 'stale_edit', sql`1 = 1`))).toEqual({ error: null, rows: 2 })
  for (const condition of [sql`1 = 2`, sql`null`, sql`(select value from vitals where value = 7)`])
    expect(await writeAround(demand(db, 'stale_edit', condition))).toMatchObject({
      error: {
        code: 'stale_edit',
        data: null,
        message: 'Someone else has changed this since you opened it.',
      },
      rows: 0,
    })
})

test('a demand sees what earlier statements of its batch wrote', async () => {
  const count = (rows: number) => sql`(select count(*) from ${vitals}) = ${rows}`
  expect(await writeAround(demand(db, 'stale_edit', count(1)))).toMatchObject({ rows: 2 })
  expect(await writeAround(demand(db, 'stale_edit', count(0)))).toMatchObject({ rows: 0 })
})

test('of two demands that fail the first gives the code', async () => {
  const batch = db.batch([
    demand(db, 'last_admin', sql`true`),
    demand(db, 'stale_edit', sql`false`),
    demand(db, 'last_admin', sql`false`),
  ])
  await expect(batch).rejects.toMatchObject({ code: 'stale_edit' })
})

test('a refusal carries JSON, whatever people have typed into it', async () => {
  const typed =
    'a"\n\u2028): SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_TRIGGER) demand:last_admin 計'
  const data = sql`json_object('unknown', json_array(${typed}))`
  expect(await writeAround(demand(db, 'user_not_found', sql`false`, data))).toMatchObject({
    error: { code: 'user_not_found', data: { unknown: [typed] } },
    rows: 0,
  })
})

/** D1's error for a statement that it refuses. */
async function errorOf(statement: SQL): Promise<unknown> {
  return db.batch([rawQuery(db, statement)]).catch((error: unknown) => error)
}

test('no other error is taken for a refusal, though it repeats what somebody typed', async () => {
  const typed = 'demand:stale_edit null: SQLITE_CONSTRAINT'
  const whole =
    'D1_ERROR: demand:stale_edit null: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_TRIGGER)'
  const errors = await Promise.all([
    errorOf(sql`select json(${typed})`),
    errorOf(sql`select json_extract('{}', ${typed})`),
    errorOf(sql`insert into vitals (name, value) values (${typed}, null)`),
    errorOf(sql.raw(`select "${whole}" from vitals where "x`)),
    errorOf(sql.raw(`select [${typed}].a`)),
  ])
  for (const error of errors) {
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toHaveProperty('code')
  }
  expect(String(errors[1])).toContain(typed)
  const made = [
    whole.replace('D1_ERROR', 'Error'),
    `${whole} x`,
    ` ${whole}`,
    `D1_ERROR: UNIQUE ${whole}`,
  ]
  expect(made.map((message) => refusalOf(new Error(message)))).toEqual([null, null, null, null])
  expect(refusalOf(new Error(whole.replace('stale_edit', 'no_such_code')))).toBeNull()
  expect(refusalOf(whole)).toBeNull()
  expect(refusalOf(new Error(whole))).toMatchObject({ code: 'stale_edit' })
})
