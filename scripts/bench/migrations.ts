/**
 * `npm run bench -- migrations`: how long each statement of each migration takes on a database with 200,000 submissions. D1 ends
 * a query after 30 s.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ROOT } from '../root.ts'
import { Report } from './report.ts'

const PEOPLE = 1_000
const PROBLEMS = 20
const TRIES = 10
const MOST_MS = 5_000

const MIGRATIONS = join(ROOT, 'migrations')

/** A course with many people who have handed in much, in the schema of the first migration. */
const FILL = `
  with recursive n(i) as (values(1) union all select i + 1 from n where i < ${PEOPLE})
    insert into users (username, username_key, email, displayed_name, role, active, created_at)
    select 'person' || i, 'person' || i, 'person' || i || '@example.org', 'Person', 2, 1, 0 from n;
  insert into courses (name, teacher_id, time_zone, created_at) values ('Large', 1, 'UTC', 0);
  with recursive n(i) as (values(1) union all select i + 1 from n where i < ${PROBLEMS})
    insert into problems (course_id, owner_id, name, status, type, tags, quota, allowed_language, description, compare, created_at, updated_at)
    select 2, 1, 'Problem ' || i, 0, 0, '[]', -1, 7, '{}', '{}', 0, 0 from n;
  insert into memberships (course_id, user_id, role, joined_at) select 2, id, 'student', 0 from users;
  with recursive n(i) as (values(0) union all select i + 1 from n where i < ${PEOPLE * PROBLEMS * TRIES - 1})
    insert into submissions (id, problem_id, course_id, user_id, language_type, status, score, run_time_ms, memory_kb, judgement_id,
      quota_used, ip, created_at, accepted_at)
    select printf('%024x', i), 1 + i % ${PROBLEMS}, 2, 1 + (i / ${PROBLEMS}) % ${PEOPLE}, i % 3, i % 2, 100 * (1 - i % 2), 5, 900,
      printf('%024x', i), 1, '', i, i from n;
  insert into submission_sources (submission_id, code) select id, randomblob(500) from submissions;
  insert into judgements (id, submission_id, state, priority, rank, queued_at, ticket_at, phase, cases_total, finished_at, status)
    select id, id, 'done', 0, 0, created_at, created_at, 'running', 1, created_at, status from submissions;
  insert into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score, status_counts)
    select problem_id, user_id, count(*), count(*), sum(score), max(score), min(score), '[]' from submissions group by problem_id, user_id;`

/** Runs it in memory; answers whether the bound holds. */
export async function benchMigrations(): Promise<boolean> {
  const report = new Report()
  const database = new DatabaseSync(':memory:')
  const names = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
  let longest = { ms: 0, name: '' }
  for (const [index, name] of names.entries()) {
    const sql = readFileSync(join(MIGRATIONS, name), 'utf8')
    for (const statement of sql.split('--> statement-breakpoint')) {
      const begin = performance.now()
      database.exec(statement)
      const ms = performance.now() - begin
      if (ms > longest.ms) longest = { ms, name: `${name}: ${statement.trim().slice(0, 60)}…` }
    }
    if (index === 0) database.exec(`begin; ${FILL}; commit`)
  }
  database.close()
  const what = `${PEOPLE * PROBLEMS * TRIES} submissions: the longest statement, ms`
  report.bound(what, longest.ms, MOST_MS, longest.name.replaceAll(/\s+/g, ' '))
  return report.holds
}
