/** The number on a course's badge: questions that wait for the caller; see `waitingQuestions` in the contract. */
import { eq, sql, type Column, type SQL } from 'drizzle-orm'
import { COUNT_LIMITS } from '#contract/limits'
import { questions } from './schema.ts'
import { scalar } from './statements.ts'

/** The condition for open questions, which wait for staff. */
export const isOpen = eq(questions.state, 'open')

/** The condition for a person's own questions with a message of staff that they have not seen. */
export function isUnread(userId: number): SQL {
  // The 1 stands here literally, as in the index: SQLite would not use the index with a parameter.
  return sql`(${questions.studentId} = ${userId} and ${questions.unread} = 1)`
}

/**
 * The condition that a person who reads a course's questions may read this one: it is for all staff, or the person's own.
 * @param manages whether the person may manage the course
 */
export function isReadable(userId: number | SQL, manages: SQL): SQL {
  return sql`(${questions.teacherOnly} = 0 or ${questions.studentId} = ${userId} or ${manages})`
}

const counted = (which: SQL) =>
  scalar<number>(sql`select count(*) from (select 1 from ${questions} where ${which}
    limit ${COUNT_LIMITS.waitingQuestions})`)

/**
 * The open questions of a course that a person of its staff may read.
 * @param courseId the column of the present row
 * @param manages whether the person may manage the course
 */
export function openQuestions(userId: number, courseId: Column, manages: SQL): SQL<number> {
  return counted(
    sql`${questions.courseId} = ${courseId} and ${isOpen} and ${isReadable(userId, manages)}`,
  )
}

/**
 * For staff: a course's open questions that they may read, and their own unread ones.
 * @param courseId a value, or the column of the present row
 * @param manages whether the person may manage the course
 */
export function waitingForStaff(
  userId: number,
  courseId: number | Column,
  manages: SQL,
): SQL<number> {
  return counted(sql`(${questions.courseId} = ${courseId} and ${isOpen} and ${isReadable(userId, manages)})
    or (${questions.courseId} = ${courseId} and ${isUnread(userId)})`)
}

/** For people who are not staff: their unread questions in a course. */
export function waitingForStudent(userId: number, courseId: number | Column): SQL<number> {
  return counted(sql`${questions.courseId} = ${courseId} and ${isUnread(userId)}`)
}
