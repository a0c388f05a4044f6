/** Courses by their names. */
import { sql, type Placeholder, type SQL } from 'drizzle-orm'
import { courseNameKey } from '#contract/names'
import { courses } from './schema.ts'

/** A course's name as it is typed; in a prepared query the placeholders of `boundCourseName`. */
export type TypedCourseName = string | null | { name: Placeholder; key: Placeholder }

export const COURSE_NAME: TypedCourseName = {
  name: sql.placeholder('courseName'),
  key: sql.placeholder('courseKey'),
}

/** The values of `COURSE_NAME`. */
export function boundCourseName(name: string) {
  return { courseName: name, courseKey: courseNameKey(name) }
}

/** The condition that a course of `courses` is the one of this name: spelled so, else by its key. */
export function isNamed(typed: TypedCourseName): SQL {
  const { name, key } =
    typeof typed === 'string' ? { name: typed, key: courseNameKey(typed) } : (typed ?? NOBODY)
  return sql`${courses.id} = coalesce((select ${courses.id} from ${courses} where ${courses.name} = ${name}),
    (select ${courses.id} from ${courses} where ${courses.nameKey} = ${key}))`
}

const NOBODY = { name: null, key: null }

/** The condition that a course of `courses` has a name that is the same as this one. */
export function hasSameName(name: string): SQL {
  return sql`(${courses.name} = ${name} or ${courses.nameKey} = ${courseNameKey(name)})`
}
