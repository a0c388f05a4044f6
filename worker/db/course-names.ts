/** Courses by their names. */
import { sql, type Placeholder, type SQL } from 'drizzle-orm'
import { courseNameKey } from '#contract/names'
import { courses } from './schema.ts'

/** In a prepared query: the course of `courseNameValues`. */
export const COURSE_NAME = sql.placeholder('courseKey')

/** The value of `COURSE_NAME`. */
export function courseNameValues(name: string) {
  return { courseKey: courseNameKey(name) }
}

/** The condition that a course of `courses` is the one of this name, however it is spelled; null: none is. */
export function isNamed(name: string | Placeholder | null): SQL {
  const key = typeof name === 'string' ? courseNameKey(name) : name
  return sql`${courses.nameKey} = ${key}`
}
