/** Changes the labels of a course, and who has them. Marks that would fall by it are kept. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { Label, LabelList, MemberLabels } from '#contract/labels'
import { nameKey } from '#contract/names'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import {
  courses,
  homeworkOverrides,
  homeworks,
  labels,
  memberLabels,
  memberships,
  users,
} from '../../db/schema.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { excluded, insertSelect, onConflictUpdate } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { changeDates } from '../homeworks/date-change-queries.ts'
import {
  demandLabels,
  demandStudents,
  peopleDetail,
  selectStudents,
} from '../homeworks/people-queries.ts'

/** The homeworks and students whom a change concerned. */
interface Told {
  homeworkIds: string[]
  userIds: number[]
}

/** The condition for the homeworks with dates for labels. @param selected selects labels */
function hasDatesFor(selected: SQL): SQL {
  return sql`${homeworks.id} in (select ${homeworkOverrides.homeworkId} from ${homeworkOverrides}
    where ${homeworkOverrides.labelId} in (${selected}))`
}

/** The statement that makes edits stale that were begun before. */
function raiseVersion(db: Db, { id }: CourseStanding) {
  return db
    .update(courses)
    .set({ version: sql`${courses.version} + 1` })
    .where(eq(courses.id, id))
}

/** Refuses an edit that is based on another version. */
function demandBase(version: number | null, basedOn: number | null): void {
  if (basedOn !== null && basedOn !== version) throw new AppError('stale_edit')
}

/** The statements that write the labels of a course. Two may exchange their names, so all of them first get names that nobody can type. */
function storeLabels(db: Db, courseId: number, list: LabelList['labels'], kept: SQL) {
  const { id, name, shown } = labels
  const isOfCourse = eq(labels.courseId, courseId)
  return [
    db.delete(labels).where(and(isOfCourse, sql`${id} not in ${kept}`)),
    db
      .update(labels)
      .set({ name: sql`char(10) || ${id}` })
      .where(isOfCourse),
    insertSelect(
      db,
      labels,
      {
        id: sql`value ->> 'id'`,
        courseId,
        name: sql`value ->> 'name'`,
        shown: sql`value ->> 'shown'`,
      },
      sql`from json_each(${JSON.stringify(list)}) where true
        ${onConflictUpdate(labels, [id], { name: excluded(name), shown: excluded(shown) })}`,
    ),
  ]
}

/** Replaces the labels of a course. @param basedOn version the edit was made on; null overwrites any version */
export async function replaceLabels(
  db: Db,
  course: CourseStanding,
  { labels: list }: LabelList,
  basedOn: number | null,
  change: Change,
): Promise<Told & { labels: Label[]; kept: number }> {
  const { id: courseId, timeZone } = course
  if (new Set(list.map(({ name }) => nameKey(name))).size < list.length)
    throw new AppError('label_exists')
  const ids = list.flatMap(({ id }) => id ?? [])
  const kept = sql`(select value from json_each(${JSON.stringify(ids)}))`
  const gone = sql`select ${labels.id} from ${labels} where ${labels.courseId} = ${courseId} and ${labels.id} not in ${kept}`
  const people = sql`(${selectStudents(courseId)} and ${memberships.userId} in
    (select ${memberLabels.userId} from ${memberLabels} where ${memberLabels.labelId} in (${gone})))`
  const scope = { courseId, which: hasDatesFor(gone), people, timeZone, change }
  const told = await changeDates(db, scope, ({ version, overrides, labelled }) => {
    demandBase(version, basedOn)
    return {
      overrides: overrides.filter(({ labelId }) => labelId === null || ids.includes(labelId)),
      labelled,
      statements: [
        demandLabels(db, courseId, ids),
        ...storeLabels(db, courseId, list, kept),
        raiseVersion(db, course),
        insertAudit(db, change, {
          action: 'course.labels',
          subject: course.name,
          detail: { labels: list.length },
        }),
      ],
    }
  })
  const { id, name, shown } = labels
  return {
    ...told,
    labels: await db
      .select({ id, name, shown })
      .from(labels)
      .where(eq(labels.courseId, courseId))
      .orderBy(id),
  }
}

/** The statements that give the named students their labels. @param wanted JSON of names, in lower case, with labels */
function storeMemberLabels(db: Db, courseId: number, wanted: string) {
  const from = sql`from json_each(${wanted}) w join ${users} on ${users.usernameKey} = w.value ->> 'key'`
  return [
    db
      .delete(memberLabels)
      .where(
        and(
          eq(memberLabels.courseId, courseId),
          sql`${memberLabels.userId} in (select ${users.id} ${from})`,
        ),
      ),
    insertSelect(
      db,
      memberLabels,
      { courseId, userId: users.id, labelId: sql`l.value` },
      sql`${from} join json_each(w.value, '$.labels') l`,
    ),
  ]
}

/** Gives the named students their labels. @param basedOn version the edit was made on; null overwrites any version */
export async function changeMemberLabels(
  db: Db,
  course: CourseStanding,
  { members }: MemberLabels,
  basedOn: number | null,
  change: Change,
): Promise<Told & { kept: number }> {
  const { id: courseId, timeZone } = course
  const names = members.map(({ username }) => username)
  const byKey = new Map(
    members.map(({ username, labels: ids }) => [
      username.toLowerCase(),
      [...new Set(ids)].toSorted((left, right) => left - right),
    ]),
  )
  const wanted = JSON.stringify([...byKey].map(([key, ids]) => ({ key, labels: ids })))
  const { userId, labelId } = memberLabels
  const present = sql`select json_group_array(id) from (select ${labelId} as id from ${memberLabels}
    where ${memberLabels.courseId} = ${courseId} and ${userId} = ${users.id} order by ${labelId})`
  // Only the students whose labels become others: a list of a whole course may change nothing.
  const people = sql`(${selectStudents(courseId)} and ${memberships.userId} in
    (select ${users.id} from json_each(${wanted}) w join ${users} on ${users.usernameKey} = w.value ->> 'key'
      where (${present}) <> w.value -> 'labels'))`
  const ofCourse = sql`select ${labels.id} from ${labels} where ${labels.courseId} = ${courseId}`
  const scope = { courseId, which: hasDatesFor(ofCourse), people, timeZone, change }
  return changeDates(db, scope, (state) => {
    demandBase(state.version, basedOn)
    return {
      overrides: state.overrides,
      labelled: [...state.people].flatMap(([key, id]) =>
        (byKey.get(key) ?? []).map((label) => ({ userId: id, labelId: label })),
      ),
      statements: [
        demandStudents(db, courseId, names),
        demandLabels(db, courseId, [...new Set([...byKey.values()].flat())]),
        ...storeMemberLabels(db, courseId, wanted),
        raiseVersion(db, course),
        insertAudit(db, change, {
          action: 'course.labels',
          subject: course.name,
          detail: peopleDetail(names),
        }),
      ],
    }
  })
}
