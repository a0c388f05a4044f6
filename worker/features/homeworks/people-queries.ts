/** The students of a course whom a change in a homework concerns. */
import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { homeworks, labels, memberLabels, memberships, users } from '../../db/schema.ts'
import { membershipCan } from '../../db/standing.ts'

/** The people that an audit entry names at most. */
const NAMED_PEOPLE = 20

/** Whom a change concerns: usernames; null: all students. */
export type Concerned = readonly (string | null)[]

/** Selects the ids of students of a course. @param labelIds adds everybody with one of these labels */
export function selectStudents(
  courseId: number,
  people: Concerned = [null],
  labelIds: readonly number[] = [],
): SQL {
  const { courseId: ofCourse, userId } = memberships
  const students = sql`select ${userId} from ${memberships}
    where ${ofCourse} = ${courseId} and ${membershipCan('scoreboard.appear')}`
  if (people.includes(null)) return students
  return sql`${students} and ${userId} in (
    select ${users.id} from ${users} where ${users.usernameKey} in
      (select lower(value) from json_each(${JSON.stringify(people)}))
    union all select ${memberLabels.userId} from ${memberLabels} where ${memberLabels.labelId} in
      (select value from json_each(${JSON.stringify(labelIds)})))`
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
      where ${users.id} in (${selectStudents(
        courseId,
        people.filter((name) => name !== null),
      )}))`
  return demand(
    db,
    'user_not_found',
    sql`not exists (${unknown})`,
    sql`json_object('unknown', (select json_group_array(value) from (${unknown})))`,
  )
}

/** The statement that demands that the course has the labels. */
export function demandLabels(db: Db, courseId: number, labelIds: readonly number[]) {
  const unknown = sql`select value from json_each(${JSON.stringify(labelIds)})
    where value not in (select ${labels.id} from ${labels} where ${labels.courseId} = ${courseId})`
  return demand(
    db,
    'label_not_found',
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
