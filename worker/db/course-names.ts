/** Courses by their names. */
import { sql, type Placeholder, type SQL } from 'drizzle-orm'
import { courseNameKey } from '#contract/names'
import { courses } from './schema.ts'

/** The placeholder of a course's name in a prepared query; `courseNameValues` gives its value. */
export const COURSE_NAME = sql.placeholder('courseKey')

/** The value of `COURSE_NAME`. */
export function courseNameValues(name: string) {
  return { courseKey: courseNameKey(name) }
}

/** The condition that a row of `courses` has this name, in any spelling of it; null matches no course. */
export function isNamed(name: string | Placeholder | null): SQL {
  const key = typeof name === 'string' ? courseNameKey(name) : name
  return sql`${courses.nameKey} = ${key}`
}
