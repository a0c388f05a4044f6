/** The filter of lists for the people with a label. */
import { sql, type Column, type SQL } from 'drizzle-orm'
import { memberLabels } from './schema.ts'

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
