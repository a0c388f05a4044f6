/** The students of a course whom a change in a homework concerns. */
import { sql, type SQL } from 'drizzle-orm'
import { rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { homeworks, memberships, users } from '../../db/schema.ts'
import { membershipCan } from '../../db/standing.ts'

/** The people that an audit entry names at most. */
const NAMED_PEOPLE = 20

/** People whose ids may stand in a statement some times: D1 takes a hundred parameters. */
const FEW_PEOPLE = 20

/** Whom a change concerns: usernames; null: all students. */
export type Concerned = readonly (string | null)[]

/** Selects the ids of students of a course. */
export function selectStudents(courseId: number, people: Concerned = [null]): SQL {
  const { courseId: ofCourse, userId } = memberships
  const students = sql`select ${userId} from ${memberships}
    where ${ofCourse} = ${courseId} and ${membershipCan('scoreboard.appear')}`
  if (people.includes(null)) return students
  return sql`${students} and ${userId} in (select ${users.id} from ${users} where ${users.usernameKey} in
    (select lower(value) from json_each(${JSON.stringify(people)})))`
}

/**
 * The list of a change's people, for `in`. A few people stand there by their ids: then SQLite works out the marks of these alone,
 * and not of the whole course.
 */
export async function listConcerned(db: Db, courseId: number, people: Concerned): Promise<SQL> {
  const students = selectStudents(courseId, people)
  if (people.length > FEW_PEOPLE || people.includes(null)) return sql`(${students})`
  const rows = await rawQuery<{ id: number }>(db, sql`select user_id as id from (${students})`)
  return sql`${rows.map(({ id }) => id)}`
}

/** The statement that demands that nobody has deleted the homework in the meantime. */
export function demandHomework(db: Db, homeworkId: string) {
  return demand(
    db,
    'homework_not_found',
    sql`exists (select 1 from ${homeworks} where ${homeworks.id} = ${homeworkId})`,
  )
}

/** The statement that demands that the named people are students of the course. */
export function demandStudents(db: Db, courseId: number, people: Concerned) {
  const unknown = sql`select w.value from json_each(${JSON.stringify(people)}) w
    where w.value is not null and lower(w.value) not in (select ${users.usernameKey} from ${users}
      where ${users.id} in (${selectStudents(courseId)}))`
  return demand(
    db,
    'user_not_found',
    sql`not exists (${unknown})`,
    sql`json_object('unknown', (select json_group_array(value) from (${unknown})))`,
  )
}

/** What an audit entry says of the people; erasing a person removes it (`forgetInAudit`). */
export function peopleDetail(people: Concerned) {
  const usernames = people.filter((name) => name !== null)
  return {
    forAll: people.includes(null),
    people: usernames.length,
    usernames: usernames.slice(0, NAMED_PEOPLE),
  }
}
