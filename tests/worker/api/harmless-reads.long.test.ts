/**
 * Calls every GET of the table as each role; afterwards no row of the database may have changed. Any link or
 * image makes a browser send a GET, so a GET that changes something needs `changes` in the table (`worker/http/csrf.ts`).
 */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { CALLS, type Route } from '#contract/calls'
import { app } from '../../../worker/app.ts'
import { makeCall, signatureOf } from '../support/roles-routes-calls.ts'
import { createFixture, type Fixture } from '../support/roles-routes-fixture.ts'
import { ROLES } from '../support/roles-routes.ts'
import { allRows, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import { requestOf, type Person } from '../support/world.ts'

type Row = Record<string, unknown>
/** Rows of all tables, by table and primary key. */
type Rows = Map<string, Row>
/** Every table with the columns of its primary key. */
type Keys = Map<string, string[]>

async function keysOfTables(): Promise<Keys> {
  const columns = await allRows<{ name: string; key: string }>`
    select tables.name as name, columns.name as key
    from sqlite_master as tables, pragma_table_info(tables.name) as columns
    where tables.type = 'table' and columns.pk > 0
      and tables.name not like 'sqlite!_%' escape '!' and tables.name not like '!_cf!_%' escape '!'
      and tables.name <> 'd1_migrations'`
  const found = new Map<string, string[]>()
  for (const { name, key } of columns) found.set(name, [...(found.get(name) ?? []), key])
  return found
}

async function allTables(keys: Keys): Promise<Rows> {
  const names = [...keys.keys()]
  const answers = await env.DB.batch<Row>(
    names.map((name) => env.DB.prepare(`select * from "${name}"`)),
  )
  const rows: Rows = new Map()
  for (const [index, name] of names.entries())
    for (const row of answers[index]?.results ?? []) {
      const id = (keys.get(name) ?? []).map((key) => String(row[key]))
      rows.set(`${name} ${id.join(' ')}`, row)
    }
  return rows
}

/** A changed, added or removed row. */
interface Difference {
  what: string
  row: Row
}

/** The differences: `table.column` of a row from before, `table added`, `table removed`. */
function differences(before: Rows, after: Rows): Difference[] {
  const found: Difference[] = []
  for (const [id, row] of after) {
    const [table = ''] = id.split(' ')
    const old = before.get(id)
    if (!old) found.push({ what: `${table} added`, row })
    else
      for (const column of Object.keys(row))
        if (JSON.stringify(row[column]) !== JSON.stringify(old[column]))
          found.push({ what: `${table}.${column}`, row })
  }
  for (const [id, row] of before)
    if (!after.has(id)) found.push({ what: `${id.split(' ')[0]} removed`, row })
  return found
}

/** Calls that note what they hand out, and the action of the note. */
const NOTES = new Map([
  ['GET /auth/me/export', 'user.export'],
  ['GET /course/:name/marks/:username', 'marks.view'],
])

/** Whether a difference is a note about the caller that a GET may make. */
function isNote(route: string, { what, row }: Difference, caller: Person | undefined): boolean {
  if (!caller) return false
  const isExport = route === 'GET /auth/me/export'
  // The time of the last visit: a session in use does not end.
  if (what === 'sessions.last_seen_at') return row['user_id'] === caller.id
  // A note that access was refused, or that somebody's data or marks were handed out.
  if (what === 'audit_entries added')
    return (
      row['actor_id'] === caller.id &&
      [NOTES.get(route), 'access.refuse'].includes(String(row['action']))
    )
  // Counters of both: a refusal is noted once a minute, and exports are limited.
  if (what !== 'rate_limits added') return false
  const key = String(row['key'])
  return isExport ? key === `export:user:${caller.id}` : key.startsWith(`denial:${caller.id}:`)
}

/** The differences that a GET makes, without such notes. */
async function changesOf(
  route: Route,
  role: string,
  fixture: Fixture,
  keys: Keys,
): Promise<string[]> {
  const signature = signatureOf(fixture, role)
  const { path, ...options } = await makeCall(route, fixture, signature.as ?? null)
  // Sessions were last used long ago, so that any call that notes a visit does so.
  await runSql`update sessions set last_seen_at = last_seen_at - 3600`
  await runSql`delete from rate_limits`
  const before = await allTables(keys)
  const context = createExecutionContext()
  const response = await app.fetch(
    requestOf('GET', path, { ...options, ...signature }),
    workerEnv,
    context,
  )
  if (response.webSocket) {
    response.webSocket.accept()
    response.webSocket.close()
  } else await response.arrayBuffer()
  await waitOnExecutionContext(context)
  const found = differences(before, await allTables(keys))
  return found.filter((one) => !isNote(route, one, signature.as)).map(({ what }) => what)
}

const GETS = CALLS.filter(({ route }) => route.startsWith('GET '))

test('no GET changes anything, whoever sends it, but for the two that say so', async () => {
  const changing: Record<string, string[]> = {}
  const keys = await keysOfTables()
  let fixture = await createFixture()
  for (const { route } of GETS)
    for (const role of ROLES) {
      const changes = await changesOf(route, role, fixture, keys)
      if (changes.length === 0) continue
      changing[route] = [...new Set([...(changing[route] ?? []), ...changes])]
      fixture = await createFixture()
    }
  const changed = Object.fromEntries(
    GETS.filter(({ changes }) => changes).map(({ route }) => [route, expect.any(Array)]),
  )
  expect(changing).toEqual(changed)
  // The comparison sees all changes: these two calls make theirs.
  expect(changing['GET /auth/session']).toEqual(['sessions removed'])
  expect(changing['GET /submission/:id/rejudge']).toContain('judgements added')
})
