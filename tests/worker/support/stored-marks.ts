/** A gradebook with marks, written into the database by SQL. */
import type { MarkDerivation, ProblemDerivation } from '#contract/mark-derivation'
import { createDatedHomework } from './dated-homework.ts'
import { firstValue, runSql } from './sql.ts'
import type { Person } from './world.ts'

/** A mark to be stored. */
interface StoredMark {
  hundredths: number | null
  isExcused?: boolean
  derivation?: MarkDerivation | null
}

/**
 * A homework of 100 points that counts 60 and an oral exam of 20 points that counts 40. The homework's marks are shown, the others are not.
 */
export async function createGradebook() {
  const world = await createDatedHomework()
  const courseId = await firstValue<number>`select id from courses where name = ${world.course}`
  const addGroup = (name: string, position: number, weight: number) =>
    firstValue<number>`insert into gradebook_groups (course_id, name, position, weight)
      values (${courseId}, ${name}, ${position}, ${weight}) returning id`
  const homeworks = await addGroup('Homeworks', 0, 6_000)
  const exam = await addGroup('Exam', 1, 4_000)
  await runSql`update gradebook_columns set group_id = ${homeworks}, position = 0 where homework_id = ${world.homeworkId}`
  const oral =
    await firstValue<number>`insert into gradebook_columns (course_id, kind, name, max, position, group_id, shown)
    values (${courseId}, 'manual', 'Oral exam', 2000, 1, ${exam}, 'no') returning id`
  const homework =
    await firstValue<number>`select id from gradebook_columns where homework_id = ${world.homeworkId}`
  const total =
    await firstValue<number>`select id from gradebook_columns where course_id = ${courseId} and kind = 'total'`
  return { ...world, courseId, groups: { homeworks, exam }, columns: { homework, oral, total } }
}

/** What an oral exam's mark that staff set is derived from. */
export const SET: MarkDerivation = {
  problems: [],
  added: null,
  lateDays: 0,
  excusedBy: null,
  isSet: true,
}

/** The derivation of 72 points: the seventh try, an hour late, has a score of 80. */
export function lateDerivation(problemId: number, at: number): MarkDerivation {
  const problem: ProblemDerivation = {
    problemId,
    points: 10_000,
    submissionId: 'a'.repeat(24),
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
  return { ...SET, problems: [problem], isSet: false }
}

/** Stores a person's mark as the newest one, so that nothing is to be computed anew. */
export async function storeMark(
  { id }: Person,
  columnId: number | null,
  { hundredths, isExcused = false, derivation = null }: StoredMark,
) {
  await runSql`insert or replace into marks (user_id, column_id, hundredths, is_excused, changed_at, derivation)
    values (${id}, ${columnId}, ${hundredths}, ${Number(isExcused)}, 0, ${derivation && JSON.stringify(derivation)})`
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
