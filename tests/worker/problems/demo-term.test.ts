/** The demo's term is written by SQL of its own; its summaries must equal those that the Worker would have kept. */
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { readPrograms } from '../../../scripts/demo/term/programs.ts'
import { termProblems } from '../../../scripts/demo/term/plan.ts'
import { historyStatements, peopleStatement } from '../../../scripts/demo/term/statements.ts'
import { openDb } from '../../../worker/db/client.ts'
import { keepingResults } from '../../../worker/db/problem-results.ts'

const FOLDER = '../../../scripts/demo/programs/'
const files = import.meta.glob('../../../scripts/demo/programs/**/*', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** All columns of the summaries, with attempts in the order of their ids. */
const SUMMARIES = `select problem_id, user_id, tries, scored, score_sum, best_score, worst_score, status_counts,
    fastest_id, leanest_id, quota_since, quota_uses, failed_id, mistake,
    (select json_group_array(json_array(key, json(value)) order by key) from json_each(attempts)) as attempts
  from problem_results order by problem_id, user_id`

async function summaries(): Promise<unknown[]> {
  return (await env.DB.prepare(SUMMARIES).all()).results
}

test('the term is the same for the same moment, and its summaries equal those that the statements of the Worker make of its submissions', async () => {
  await env.DB.prepare(
    `insert into users (username, username_key, email, displayed_name, role, password_hash, active, created_at)
     values ('admin', 'admin', 'admin@example.org', 'Admin', 0, 'x', 1, 0)`,
  ).run()
  const programs = readPrograms(
    new Map(Object.entries(files).map(([path, text]) => [path.slice(FOLDER.length), text])),
  )
  const nowMs = Date.now()
  const history = historyStatements(programs, nowMs)
  expect(historyStatements(programs, nowMs)).toEqual(history)
  const names = termProblems().map(({ form }) => form.problemName)
  const course = `insert into courses (name, name_key, teacher_id, time_zone, created_at) values ('Demo', 'demo', 1, 'UTC', 0)`
  const problems = `insert into problems (course_id, name, status, type, owner_id, tags, quota, allowed_language, description, compare, created_at, updated_at)
      select (select max(id) from courses), value, 0, 0, 1, '[]', -1, 7, '{}', '{}', 0, 0 from json_each(?)`
  await env.DB.batch([
    env.DB.prepare(course),
    env.DB.prepare(problems).bind(JSON.stringify(names)),
    ...[peopleStatement(nowMs), ...history].map(({ sql: text, parameters }) =>
      env.DB.prepare(text).bind(...parameters),
    ),
  ])
  const seeded = await summaries()
  expect(seeded.length).toBeGreaterThan(100)
  await env.DB.prepare('delete from problem_results').run()
  const db = openDb(env.DB)
  await db.batch(keepingResults(db, sql`select id from submissions`, []))
  expect(await summaries()).toEqual(seeded)
})

/** Groups of the busiest stretch: people by their newest failing submission, and whether the group has a hint. */
const GROUPS = `select mistake, count(*) as people, sum((status_counts ->> 0) > 0) as solved,
    count(distinct language_type) as languages,
    exists (select 1 from hints h where h.problem_id = r.problem_id and h.mistake = r.mistake) as hinted
  from problem_results r join submissions s on s.id = failed_id
  where r.problem_id = (select id from problems where name = 'The busiest stretch') group by mistake order by people desc`

test('students of the running homework make the same mistakes in several languages; one group has a hint', async () => {
  const groups = (
    await env.DB.prepare(GROUPS).all<Record<'people' | 'solved' | 'languages' | 'hinted', number>>()
  ).results
  expect(groups.length).toBeGreaterThanOrEqual(4)
  const [largest, second] = groups
  expect(largest).toMatchObject({ hinted: 1, languages: 3 })
  expect(second).toMatchObject({ hinted: 0 })
  for (const group of [largest, second]) {
    expect(group?.people).toBeGreaterThan(group?.solved ?? Infinity)
    expect(group?.solved).toBeGreaterThan(0)
  }
})
