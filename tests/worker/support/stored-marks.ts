/** The stored marks of courses: brought up to date, read, made from nothing, and written by SQL. */
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import type { ProblemDerivation } from '#contract/mark-derivation'
import { openDb, rawQuery } from '../../../worker/db/client.ts'
import { addContributions, keepingResults } from '../../../worker/db/problem-results.ts'
import type { StoredDerivation } from '../../../worker/db/schema.ts'
import { refreshStale } from '../../../worker/features/gradebook/refresh.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { allRows, runSql } from './sql.ts'
import type { Person } from './world.ts'

/** A stored mark; `column`: the name of the homework or column, or `total`. */
export interface MarkRow {
  username: string
  column: string
  hundredths: number | null
  isExcused: number
  derivation: string | null
}

/** Computes all stale marks of a course. @returns how many people had some */
export async function refreshAll(courseId: number, db = openDb(env.DB)): Promise<number> {
  let people = 0
  for (;;) {
    const count = await refreshStale(db, courseId, 100, nowSeconds())
    if (count === 0) return people
    people += count
  }
}

/** Computes all stale marks of all courses. What still computes some of them afterwards writes nothing, because its claims are gone. */
export async function refreshEverywhere(): Promise<void> {
  const courses = await allRows<{ id: number }>`select distinct course_id as id
    from gradebook_columns where id in (select column_id from stale_marks)`
  for (const { id } of courses) await refreshAll(id)
}

/** The stored marks of a course, as they are. */
export const storedMarks = (courseId: number) =>
  allRows<MarkRow>`select u.username, coalesce(h.name, iif(g.kind = 'total', 'total', g.name)) as "column", k.hundredths,
      k.is_excused as isExcused, k.derivation
    from marks k join gradebook_columns g on g.id = k.column_id join users u on u.id = k.user_id
    left join homeworks h on h.id = g.homework_id
    where g.course_id = ${courseId} order by u.username, g.kind = 'total', g.id`

/** The stored marks of a course, brought up to date: username → column → hundredths, or `excused`. */
export async function marksOf(courseId: number) {
  await refreshAll(courseId)
  const found: Record<string, Record<string, number | 'excused' | null>> = {}
  for (const { username, column, hundredths, isExcused } of await storedMarks(courseId)) {
    const own = (found[username] ??= {})
    own[column] = isExcused === 1 ? 'excused' : hundredths
  }
  return found
}

/** The marks that a course has when they are all made from nothing. */
export async function marksFromNothing(courseId: number): Promise<MarkRow[]> {
  await runSql`delete from marks where column_id in (select id from gradebook_columns where course_id = ${courseId})`
  await runSql`insert into stale_marks (column_id, user_id)
    select g.id, m.user_id from gradebook_columns g join memberships m on m.course_id = g.course_id
    where g.course_id = ${courseId} and m.role = 'student' on conflict do nothing`
  await refreshAll(courseId)
  return storedMarks(courseId)
}

let submissions = 0

/** A judged submission. @param at epoch seconds @returns its id */
export async function addJudged(
  userId: number,
  problemId: number,
  { at, score, status = 1 }: { at: number; score: number; status?: number },
): Promise<string> {
  submissions += 1
  const id = (at * 1000).toString(16).padStart(12, '0') + submissions.toString(16).padStart(12, '0')
  await runSql`insert into submissions (id, problem_id, course_id, user_id, language_type, status, score, quota_used, ip, created_at, accepted_at)
    select ${id}, id, course_id, ${userId}, 0, ${status}, ${score}, 0, '', ${at}, ${at} from problems where id = ${problemId}`
  const db = openDb(env.DB)
  await db.batch([addContributions(db, sql`${id}`)])
  return id
}

/** Judges a submission again, with another result. */
export async function rejudge(id: string, score: number, status = 1): Promise<void> {
  const db = openDb(env.DB)
  const judged = sql`update submissions set status = ${status}, score = ${score} where id = ${id}`
  await db.batch(keepingResults(db, sql`${id}`, [rawQuery(db, judged)]))
}

/** A mark to be stored. */
interface NewMark {
  hundredths: number | null
  isExcused?: boolean
  isSet?: boolean
  isKept?: boolean
  derivation?: StoredDerivation | null
}

/** What an oral exam's mark that staff set is derived from. */
export const SET: StoredDerivation = {
  problems: [],
  added: null,
  lateDays: 0,
  excusedBy: null,
  isSet: true,
  settled: {},
}

/** The derivation of 72 points: the seventh try, an hour late, has a score of 80. */
export function lateDerivation(problemId: number, at: number): StoredDerivation {
  const submissionId = 'a'.repeat(24)
  const problem: ProblemDerivation = {
    problemId,
    points: 10_000,
    submissionId,
    nth: 7,
    at,
    score: 80,
    lateSeconds: 3_600,
    left: 90,
    how: 'multiply',
    computed: 7_200,
    isKept: false,
    isGiven: false,
    hundredths: 7_200,
  }
  return { ...SET, problems: [problem], isSet: false, settled: { [problemId]: submissionId } }
}

/** Stores a person's mark as the newest one, so that nothing is to be computed anew. */
export async function storeMark(
  { id }: Person,
  columnId: number | null,
  { hundredths, isExcused = false, isSet = false, isKept = false, derivation = null }: NewMark,
) {
  await runSql`insert or replace into marks (user_id, column_id, hundredths, is_excused, is_set, is_kept, changed_at, derivation)
    values (${id}, ${columnId}, ${hundredths}, ${Number(isExcused)}, ${Number(isSet)}, ${Number(isKept)}, 0, ${derivation && JSON.stringify(derivation)})`
  await runSql`delete from stale_marks where user_id = ${id}`
}

/** Says when students see the marks of a column. */
export const showMarks = (columnId: number | null, shown: 'no' | 'atClosing' | 'yes') =>
  runSql`update gradebook_columns set shown = ${shown} where id = ${columnId}`

/** What staff set in a cell, as a row of its history. */
export async function setMark(
  by: Person,
  { id }: Person,
  columnId: number | null,
  hundredths: number | null,
  reason: string,
  at: number,
) {
  await runSql`insert into mark_settings (column_id, user_id, hundredths, is_excused, reason, setter_id, set_at)
    values (${columnId}, ${id}, ${hundredths}, 0, ${reason}, ${by.id}, ${at})`
  await runSql`delete from stale_marks where user_id = ${id}`
}
