/** The filter of lists for the people with a label. */
import { and, eq, sql, type Column, type SQL } from 'drizzle-orm'
import { memberLabels, memberships } from './schema.ts'
import { membershipCan } from './standing.ts'

/**
 * The condition that a person has a label of a course; undefined without a label.
 * @param userId the person's column
 * @param courseId the course, or its column
 */
export function hasLabel(
  label: number | undefined,
  userId: Column,
  courseId: Column | number,
): SQL | undefined {
  return label === undefined
    ? undefined
    : sql`exists (select 1 from ${memberLabels} where ${memberLabels.userId} = ${userId}
        and ${memberLabels.courseId} = ${courseId} and ${memberLabels.labelId} = ${label})`
}

/** The condition for memberships of a course's students, or only of those with a label. */
export function isStudent(courseId: number, label: number | undefined): SQL | undefined {
  return and(
    eq(memberships.courseId, courseId),
    membershipCan('scoreboard.appear'),
    hasLabel(label, memberships.userId, courseId),
  )
}
