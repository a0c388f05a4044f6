/** Overrides: dates and rules that staff set for students, or for all, in a homework. */
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { OverrideFields } from '#contract/homework-dates'
import type {
  HomeworkDatesTable,
  HomeworkOverride,
  OverrideChange,
} from '#contract/homework-overrides'
import { insertAudit } from '../../db/audit.ts'
import { aliasColumns, rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { FIRST_KEY, userInfoColumns } from '../../db/people.ts'
import { homeworkDates, homeworkOverrides, homeworks, users } from '../../db/schema.ts'
import { excluded, insertSelect, onConflictUpdate } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { countKeptMarks, dropReachedMarks, keepMarks } from './kept-mark-queries.ts'
import { DatesReader, selectLabelled, selectOverrides, type OverrideRow } from './own-dates.ts'
import {
  demandHomework,
  demandStudents,
  listConcerned,
  peopleDetail,
  selectStudents,
} from './people-queries.ts'
import type { HomeworkAccess } from './queries.ts'

/** An override that says nothing. */
const NOTHING = {
  opens: null,
  due: null,
  closes: null,
  graceMinutes: null,
  latePercent: null,
  quota: null,
  excused: null,
} as const satisfies OverrideFields

const FIELDS = Object.keys(NOTHING) as (keyof OverrideFields)[]

/**
 * The statement that refuses its batch if a student's homework would be due before it opens, or if an override closes it before that
 * student's due time. More time for all cannot contradict a closing time: `datesOf` moves it along.
 * @param staffId the person who makes the change, whose own dates are those for all
 */
export function demandDates(db: Db, homeworkId: string, courseId: number, staffId: number) {
  const { due, opens, userId } = homeworkDates
  const wrong = sql`select ${users.username} as username from ${homeworks} h
    join ${homeworkOverrides} o on o.homework_id = h.id
    join ${homeworkDates} on ${homeworkDates.homeworkId} = h.id and ${userId} = coalesce(o.user_id, ${staffId})
    left join ${users} on ${users.id} = o.user_id
    where h.id = ${homeworkId} and (o.user_id is null or o.user_id in (${selectStudents(courseId)}))
      and (${due} < ${opens} or o.closes < coalesce(o.due, h.end_at))`
  return demand(
    db,
    'bad_dates',
    sql`not exists (${wrong})`,
    sql`json_object('people', (select json_group_array(username) from (${wrong})))`,
  )
}

/** Merges changes into the overrides: fields that a change does not have stay. */
function mergeOverrides(
  db: Db,
  homeworkId: string,
  changes: OverrideChange[],
  { actor, now }: Change,
) {
  const merged = (name: keyof OverrideFields | 'reason') => {
    const path = `$.${name}`
    return sql`iif(json_type(w.value, ${path}) is null, ${homeworkOverrides[name]}, w.value ->> ${path})`
  }
  const fields = {
    ...Object.fromEntries(FIELDS.map((name) => [name, merged(name)])),
    reason: sql`coalesce(${merged('reason')}, '')`,
    setterId: actor.id,
    setAt: now,
  }
  const { id, userId, homeworkId: ofHomework, ...columns } = homeworkOverrides
  const taken = [...FIELDS, 'reason' as const, 'setterId' as const, 'setAt' as const]
  return insertSelect(
    db,
    homeworkOverrides,
    { id, homeworkId, userId: users.id, labelId: null, ...fields },
    sql`from json_each(${JSON.stringify(changes)}) w
      left join ${users} on ${users.usernameKey} = lower(w.value ->> 'username')
      left join ${homeworkOverrides} on ${ofHomework} = ${homeworkId} and ${userId} is ${users.id}
      where true
      ${onConflictUpdate(homeworkOverrides, [id], Object.fromEntries(taken.map((name) => [name, excluded(columns[name])])))}`,
  )
}

/** One change for each person: of two for one person, the later one's fields count. */
function onePerPerson(changes: readonly OverrideChange[]): OverrideChange[] {
  const byKey = new Map<string | null, OverrideChange>()
  for (const change of changes) {
    const key = change.username?.toLowerCase() ?? null
    byKey.set(key, { ...byKey.get(key), ...change })
  }
  return [...byKey.values()]
}

/**
 * Changes overrides, all or none. Overrides that say nothing are removed. Marks that would fall are kept.
 * @returns how many marks of the people concerned are kept
 */
async function writeOverrides(
  db: Db,
  { homeworkId, courseId, course }: HomeworkAccess,
  given: readonly OverrideChange[],
  change: Change,
  entry: { action: string; detail: Record<string, unknown> },
): Promise<{ kept: number }> {
  const changes = onePerPerson(given)
  const names = changes.map(({ username }) => username)
  const people = await listConcerned(db, courseId, names)
  const isOfHomework = eq(homeworkOverrides.homeworkId, homeworkId)
  const saysNothing = FIELDS.map((name) => isNull(homeworkOverrides[name]))
  const [, , , , , , , , , kept] = await db.batch([
    demandHomework(db, homeworkId),
    demandStudents(db, courseId, names),
    keepMarks(db, homeworkId, people),
    mergeOverrides(db, homeworkId, changes, change),
    db.delete(homeworkOverrides).where(and(isOfHomework, ...saysNothing)),
    demandDates(db, homeworkId, courseId, change.actor.id),
    dropReachedMarks(db, homeworkId, people),
    db
      .update(homeworks)
      // `updatedAt` stays: calendars tell it, and it would tell classmates of the change.
      .set({ version: sql`${homeworks.version} + 1` })
      .where(eq(homeworks.id, homeworkId)),
    insertAudit(db, change, {
      action: entry.action,
      subject: homeworkId,
      detail: { course, ...peopleDetail(names), ...entry.detail },
    }),
    countKeptMarks(db, homeworkId, people),
  ])
  return { kept: kept.reduce((sum, row) => sum + row.kept, 0) }
}

/** Sets dates and rules of students, or of all. The audit log does not tell the reasons. */
export function changeOverrides(
  db: Db,
  homework: HomeworkAccess,
  overrides: OverrideChange[],
  change: Change,
): Promise<{ kept: number }> {
  const fields = FIELDS.filter((name) => overrides.some((each) => name in each))
  const entry = { action: 'homework.override', detail: { fields } }
  return writeOverrides(db, homework, overrides, change, entry)
}

/** Takes dates and rules of students back, or with null those of all. */
export function removeOverrides(
  db: Db,
  homework: HomeworkAccess,
  usernames: (string | null)[],
  change: Change,
): Promise<{ kept: number }> {
  const overrides = usernames.map((username) => ({ ...NOTHING, username }))
  const entry = { action: 'homework.override.remove', detail: {} }
  return writeOverrides(db, homework, overrides, change, entry)
}

/** Everybody's dates in a homework, by username. */
export async function getDatesTable(
  db: Db,
  { homeworkId, courseId }: HomeworkAccess,
): Promise<HomeworkDatesTable> {
  const isThis = eq(homeworks.id, homeworkId)
  const students = sql`(${selectStudents(courseId)})`
  const { id, startAt, endAt, closeAt, graceMinutes } = homeworks
  const [[dated], people, overrides, labelled, setters, kept] = await db.batch([
    db.select({ id, startAt, endAt, closeAt, graceMinutes }).from(homeworks).where(isThis),
    db
      .select(aliasColumns({ id: users.id, ...userInfoColumns(users) }))
      .from(users)
      .where(sql`${users.id} in ${students}`)
      .orderBy(asc(users.usernameKey)),
    selectOverrides(db, isThis, 'everybody'),
    selectLabelled(db, isThis, 'everybody'),
    rawQuery<{ id: number; username: string }>(
      db,
      sql`select ${users.id}, ${users.username} from ${users} where ${users.id} in
        (select ${homeworkOverrides.setterId} from ${homeworkOverrides} where ${homeworkOverrides.homeworkId} = ${homeworkId})
        and ${users.usernameKey} >= ${FIRST_KEY}`,
    ),
    countKeptMarks(db, homeworkId, students),
  ])
  if (!dated) return { forAll: null, labels: [], people: [] }
  const reader = new DatesReader(overrides, labelled)
  const names = new Map(setters.map((setter) => [setter.id, setter.username]))
  const keptOf = new Map(kept.map((row) => [row.userId, row.kept]))
  const toOverride = (row: OverrideRow | undefined): HomeworkOverride | null => {
    if (!row) return null
    const { id: _i, homeworkId: _h, userId: _u, labelId: _l, setterId, setAt, ...fields } = row
    return { ...fields, by: names.get(setterId) ?? null, at: setAt }
  }
  return {
    forAll: toOverride(reader.overrideOf(homeworkId, null)),
    labels: [],
    people: people.map(({ id: userId, ...user }) => ({
      user,
      override: toOverride(reader.overrideOf(homeworkId, userId)),
      own: reader.ownDatesOf(dated, userId),
      kept: keptOf.get(userId) ?? 0,
    })),
  }
}
