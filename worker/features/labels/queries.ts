/** Reads the labels of a course, and who has them. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { can, type CourseRole } from '#contract/roles'
import type { Db } from '../../db/client.ts'
import { labels, memberLabels } from '../../db/schema.ts'
import { scalar } from '../../db/statements.ts'

/** The labels of a course in the order in which staff made them, each with its people. @param whose students see the shown ones only */
export function selectLabels(db: Db, courseId: number, whose: 'all' | 'shown' = 'all') {
  const { id, name, shown } = labels
  const people = scalar<number[]>(
    sql`select json_group_array(${memberLabels.userId}) from ${memberLabels} where ${memberLabels.labelId} = ${id}`,
  ).mapWith((list: string): number[] => JSON.parse(list))
  return db
    .select({ id, name, shown, people: people.as('people') })
    .from(labels)
    .where(and(eq(labels.courseId, courseId), whose === 'shown' ? eq(shown, true) : undefined))
    .orderBy(asc(id))
}

type LabelRow = Awaited<ReturnType<typeof selectLabels>>[number]

/** The labels as they are sent, and the labels of each student who has some. */
export function toLabels(
  rows: readonly LabelRow[],
  members: readonly { id: number; username: string; courseRole: CourseRole }[],
) {
  const students = members.filter(({ courseRole }) => can(courseRole, 'scoreboard.appear'))
  const names = new Map(students.map(({ id, username }) => [id, username]))
  const pairs = rows.flatMap(({ id, people }) =>
    people.flatMap((userId) => {
      const username = names.get(userId)
      return username === undefined ? [] : [{ username, id }]
    }),
  )
  const byName = Map.groupBy(pairs, ({ username }) => username)
  return {
    labels: rows.map(({ id, name, shown }) => ({ id, name, shown })),
    memberLabels: Object.fromEntries(
      [...byName].map(([username, own]) => [username, own.map(({ id }) => id)]),
    ),
  }
}
