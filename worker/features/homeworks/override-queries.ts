/** Overrides: dates and rules that staff set for students, or for all, in a homework. */
import { and, asc, eq, getTableColumns, isNull, sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
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
import { homeworkDates, homeworkOverrides, homeworks, memberships, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { excluded, insertSelect, onConflictUpdate } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { chunksOf } from '../../lib/chunks.ts'
import { changeDates, type DatesState } from './date-change-queries.ts'
import { higherOf, keepersOf, selectMarksState, toMarksState } from './kept-mark-queries.ts'
import { DatesReader, selectLabelled, selectOverrides, type OverrideRow } from './own-dates.ts'
import {
  demandHomework,
  demandLabels,
  demandStudents,
  peopleDetail,
  selectStudents,
} from './people-queries.ts'
import { withItsBudget, type HomeworkAccess } from './queries.ts'

/** Rows that one statement writes, so that the longest reasons fit a parameter: D1 takes 2 MB. */
const ROWS_AT_ONCE = 500

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
 * The statement that refuses its batch if a student's homework would be due before it opens, or if an override closes it before it is due
 * by the same override. It also refuses a label whose dates would do so, although nobody has it. More time for all cannot contradict a
 * closing time: `datesOf` moves it along.
 * @param staffId the person who makes the change, whose own dates are those for all
 */
export function demandDates(db: Db, homeworkId: string, courseId: number, staffId: number) {
  const { due, opens, userId } = homeworkDates
  const isDueEarly = sql`${due} < ${opens}`
  const closesEarly = sql`o.closes < coalesce(o.due, h.end_at)`
  const dated = (owner: SQL) =>
    sql`join ${homeworkDates} on ${homeworkDates.homeworkId} = ${homeworkId} and ${userId} = ${owner}`
  const people = sql`select ${users.username} as username from ${homeworks} h
    join ${homeworkOverrides} o on o.homework_id = h.id ${dated(sql`coalesce(o.user_id, ${staffId})`)}
    left join ${users} on ${users.id} = o.user_id
    where h.id = ${homeworkId} and o.label_id is null and (o.user_id is null or exists (${selectStudents(courseId)} and ${memberships.userId} = o.user_id))
      and (${isDueEarly} or ${closesEarly})
    union select ${users.username} from label_overrides l ${dated(sql`l.user_id`)} join ${users} on ${users.id} = l.user_id
    where l.homework_id = ${homeworkId} and ${isDueEarly}`
  const labels = sql`select o.label_id as label from ${homeworks} h join ${homeworkOverrides} o on o.homework_id = h.id
    left join ${homeworkOverrides} a on a.homework_id = h.id and a.user_id is null and a.label_id is null
    where h.id = ${homeworkId} and o.label_id is not null and (${closesEarly}
      or coalesce(max(o.due, a.due), o.due, a.due, h.end_at) < coalesce(o.opens, a.opens, h.start_at))`
  return demand(
    db,
    'bad_dates',
    sql`not exists (${people}) and not exists (${labels})`,
    sql`json_object('people', (select json_group_array(username) from (${people})),
      'labels', (select json_group_array(label) from (${labels})))`,
  )
}

/** Whose an override is. */
const ownerOf = ({ userId, labelId }: Pick<OverrideRow, 'userId' | 'labelId'>) =>
  `${userId} ${labelId}`

/** The overrides of a homework after changes: fields that a change does not have stay. Unknown people are left out. */
function mergeOverrides(
  { overrides, people }: DatesState,
  homeworkId: string,
  changes: readonly OverrideChange[],
  { actor, now }: Change,
): { all: OverrideRow[]; changed: OverrideRow[] } {
  const isHere = (row: OverrideRow) => row.homeworkId === homeworkId
  const others = overrides.filter((row) => !isHere(row))
  const all = new Map(overrides.filter(isHere).map((row) => [ownerOf(row), row]))
  const changed = new Set<string>()
  for (const { username, label, ...fields } of changes) {
    const userId = username === null ? null : people.get(username.toLowerCase())
    if (userId === undefined) continue
    const owner = { homeworkId, userId, labelId: label ?? null }
    const key = ownerOf(owner)
    const earlier = all.get(key) ?? { id: null, ...NOTHING, reason: '' }
    all.set(key, { ...earlier, ...fields, ...owner, setterId: actor.id, setAt: now })
    changed.add(key)
  }
  return {
    all: [...others, ...all.values()],
    changed: [...changed].flatMap((key) => all.get(key) ?? []),
  }
}

/** The statements that write overrides. Those that say nothing are removed. */
function storeOverrides(
  db: Db,
  homeworkId: string,
  rows: readonly OverrideRow[],
  { actor, now }: Change,
) {
  const { id, ...columns } = getTableColumns(homeworkOverrides)
  const fields = Object.keys(columns).map((name) => [name, sql`value ->> ${`$.${name}`}`])
  const written = Object.entries(columns).map(([name, column]) => [name, excluded(column)])
  const values = {
    ...Object.fromEntries(fields),
    id: sql`value ->> '$.id'`,
    homeworkId,
    setterId: actor.id,
    setAt: now,
  }
  const saysNothing = FIELDS.map((name) => isNull(homeworkOverrides[name]))
  return [
    ...chunksOf(rows, ROWS_AT_ONCE).map((chunk) =>
      insertSelect(
        db,
        homeworkOverrides,
        values,
        sql`from json_each(${JSON.stringify(chunk)}) where true
          ${onConflictUpdate(homeworkOverrides, [id], Object.fromEntries(written))}`,
      ),
    ),
    db
      .delete(homeworkOverrides)
      .where(and(eq(homeworkOverrides.homeworkId, homeworkId), ...saysNothing)),
  ]
}

/** One change for each owner: of two for one, the later one's fields count. */
function onePerOwner(changes: readonly OverrideChange[]): OverrideChange[] {
  const byOwner = new Map<string, OverrideChange>()
  for (const change of changes) {
    const key = `${change.username?.toLowerCase()} ${change.label}`
    byOwner.set(key, { ...byOwner.get(key), ...change })
  }
  return [...byOwner.values()]
}

/** Whom changes concern: people, null for all; and labels. */
export function concernedBy(changes: readonly Pick<OverrideChange, 'username' | 'label'>[]) {
  return {
    names: changes.filter(({ label }) => label == null).map(({ username }) => username),
    labels: changes.flatMap(({ label }) => label ?? []),
  }
}

/**
 * Changes overrides, all or none. Overrides that say nothing are removed. Marks that would fall are kept.
 * @param settle the changes by what was read; they concern the same people
 * @param also statements that come after the change, and tell its people
 * @returns how many marks of the people concerned are kept
 */
async function writeOverrides(
  db: Db,
  { homeworkId, courseId, timeZone, course }: HomeworkAccess,
  given: readonly OverrideChange[],
  change: Change,
  entry: { action: string; detail: Record<string, unknown> },
  settle: (state: DatesState) => OverrideChange[] = () => onePerOwner(given),
  also: BatchItem<'sqlite'>[] = [],
): Promise<{ kept: number }> {
  const { names, labels } = concernedBy(onePerOwner(given))
  const which = eq(homeworks.id, homeworkId)
  const people = sql`(${selectStudents(courseId, names, labels)})`
  const { kept } = await changeDates(
    db,
    {
      courseId,
      which,
      people,
      timeZone,
      change,
      isForAll: names.includes(null),
      isTold: also.length > 0,
    },
    (state) => {
      const { all, changed } = mergeOverrides(state, homeworkId, settle(state), change)
      return {
        overrides: all,
        labelled: state.labelled,
        statements: [
          demandHomework(db, homeworkId),
          demandStudents(db, courseId, names),
          demandLabels(db, courseId, labels),
          ...storeOverrides(db, homeworkId, changed, change),
          demandDates(db, homeworkId, courseId, change.actor.id),
          db
            .update(homeworks)
            // `updatedAt` stays: calendars tell it, and it would tell classmates of the change.
            .set({ version: sql`${homeworks.version} + 1` })
            .where(which),
          insertAudit(db, change, {
            action: entry.action,
            subject: homeworkId,
            detail: { course, ...peopleDetail(names), labels, ...entry.detail },
          }),
          ...also,
        ],
      }
    },
  )
  return { kept }
}

/** Sets dates and rules of students, of people with a label, or of all. The audit log does not tell the reasons. */
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

/**
 * Gives a student a due time, but never an earlier one than they have.
 * @param also statements of the same batch, which find the new dates and tell the student
 */
export function grantDue(
  db: Db,
  homework: HomeworkAccess,
  { username, due }: { username: string; due: number },
  change: Change,
  also: BatchItem<'sqlite'>[],
): Promise<{ kept: number }> {
  const entry = { action: 'homework.override', detail: { fields: ['due'] } }
  const settle = ({ homeworks: read, people, overrides, labelled }: DatesState) => {
    const dated = read.find(({ id }) => id === homework.homeworkId)
    const userId = people.get(username.toLowerCase())
    const own =
      dated && userId !== undefined
        ? new DatesReader(overrides, labelled).datesOf(dated, userId)
        : null
    return [{ username, due: Math.max(due, own?.due ?? 0) }]
  }
  return writeOverrides(db, homework, [{ username, due }], change, entry, settle, also)
}

/** Takes dates and rules back. */
export function removeOverrides(
  db: Db,
  homework: HomeworkAccess,
  owners: readonly Pick<OverrideChange, 'username' | 'label'>[],
  change: Change,
): Promise<{ kept: number }> {
  const overrides = owners.map((owner) => ({ ...NOTHING, ...owner }))
  const entry = { action: 'homework.override.remove', detail: {} }
  return writeOverrides(db, homework, overrides, change, entry)
}

/** Everybody's dates in a homework, by username. */
export async function getDatesTable(
  db: Db,
  homework: HomeworkAccess,
  user: SessionUser,
): Promise<HomeworkDatesTable> {
  const { homeworkId, courseId } = homework
  const isThis = eq(homeworks.id, homeworkId)
  const students = sql`(${selectStudents(courseId)})`
  const [people, overrides, labelled, setters, ...read] = await db.batch([
    db
      .select(aliasColumns({ id: users.id, ...userInfoColumns(users) }))
      .from(users)
      .where(sql`${users.id} in ${students}`)
      .orderBy(asc(users.usernameKey)),
    selectOverrides(db, isThis, 'all'),
    selectLabelled(db, isThis, 'all'),
    rawQuery<{ id: number; username: string }>(
      db,
      sql`select ${users.id}, ${users.username} from ${users} where ${users.id} in
        (select ${homeworkOverrides.setterId} from ${homeworkOverrides} where ${homeworkOverrides.homeworkId} = ${homeworkId})
        and ${users.usernameKey} >= ${FIRST_KEY}`,
    ),
    ...selectMarksState(db, withItsBudget(homework), keepersOf(homework), user),
  ])
  const state = toMarksState(read)
  const dated = state.homeworks.find(({ id }) => id === homeworkId)
  if (!dated) return { forAll: null, labels: [], people: [] }
  const reader = new DatesReader(overrides, labelled)
  const names = new Map(setters.map((setter) => [setter.id, setter.username]))
  const keptOf = Map.groupBy(higherOf(state, homework), ({ userId }) => userId)
  const toOverride = (row: OverrideRow | undefined): HomeworkOverride | null => {
    if (!row) return null
    const { id: _i, homeworkId: _h, userId: _u, labelId: _l, setterId, setAt, ...fields } = row
    return { ...fields, by: names.get(setterId) ?? null, at: setAt }
  }
  return {
    forAll: toOverride(reader.overrideOf(homeworkId, null)),
    labels: [...reader.labelOverridesOf(homeworkId)].flatMap(([label, row]) => {
      const override = toOverride(row)
      return override ? [{ label, override }] : []
    }),
    people: people.map(({ id: userId, ...person }) => ({
      user: person,
      override: toOverride(reader.overrideOf(homeworkId, userId)),
      own: reader.ownDatesOf(dated, userId),
      kept: keptOf.get(userId)?.length ?? 0,
    })),
  }
}
