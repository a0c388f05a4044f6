/** Reads and writes the columns and groups of a gradebook, and how its total is made. */
import {
  and,
  asc,
  eq,
  getTableColumns,
  isNotNull,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type {
  GradebookColumn,
  GradebookColumns,
  GradebookForm,
  GradebookGroup,
} from '#contract/gradebook'
import { totalMax, type TotalColumn, type TotalRule } from '#contract/gradebook-total'
import { PROBLEM_STATUS } from '#contract/problems'
import { can, type Standing } from '#contract/roles'
import { insertAudit } from '../../db/audit.ts'
import { aliasColumns, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { isVersion } from '../../db/edits.ts'
import { markJson } from '../../db/mark-settings.ts'
import {
  gradebookColumns,
  gradebookGroups,
  homeworkProblems,
  homeworks,
  marks,
  problems,
  users,
} from '../../db/schema.ts'
import { columnTitle } from '../../db/shown-marks.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { excluded, insertSelect, onConflictUpdate } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'

/** Whether staff with this standing see the marks in a column: those of a total only by right, or where assistants may see it. */
export function seesColumn(
  standing: Standing,
  { kind, forAssistants }: Pick<ColumnRow, 'kind' | 'forAssistants'>,
): boolean {
  return kind !== 'total' || forAssistants || can(standing, 'gradebook.manage')
}

/** Selects the ids of the columns of a course that the caller sees: `seesColumn`. */
export function selectSeenIds({ id: courseId, standing }: CourseStanding): SQL {
  const { id, kind, forAssistants } = gradebookColumns
  const seesTotal = can(standing, 'gradebook.manage') ? sql`1` : sql`${forAssistants} = 1`
  return sql`select ${id} from ${gradebookColumns}
    where ${gradebookColumns.courseId} = ${courseId} and (${kind} <> 'total' or ${seesTotal})`
}

/** The points of a homework's problems that students see, in hundredths. */
const homeworkMax = sql`(select coalesce(sum(${homeworkProblems.points}), 0) * 100 from ${homeworkProblems}
  join ${problems} on ${problems.id} = ${homeworkProblems.problemId}
  where ${homeworkProblems.homeworkId} = ${gradebookColumns.homeworkId}
    and ${problems.status} = ${PROBLEM_STATUS.VISIBLE} and ${problems.deletedAt} is null)`

/** The columns of a gradebook in order, the total last, with names of homeworks. Points in hundredths; `max` null only in a total. */
export function selectColumns(db: Db, courseId: number) {
  const { id, kind, homeworkId, groupId, weight, isExtra, shown, position } = gradebookColumns
  const { decimals, forAssistants, version, max, name } = gradebookColumns
  return db
    .select({
      ...aliasColumns({ id, kind, homeworkId, groupId, weight, isExtra, shown }),
      ...aliasColumns({ decimals, forAssistants, version }),
      name: sql<string>`coalesce(${homeworks.name}, ${name})`.as('name'),
      max: sql<number | null>`iif(${kind} = 'homework', ${homeworkMax}, ${max})`.as('max'),
    })
    .from(gradebookColumns)
    .leftJoin(homeworks, eq(homeworks.id, homeworkId))
    .where(eq(gradebookColumns.courseId, courseId))
    .orderBy(sql`${kind} = 'total'`, sql`${position} is null`, asc(position), asc(id))
}
export type ColumnRow = Awaited<ReturnType<typeof selectColumns>>[number]

/** The groups of a gradebook in order. Weights in hundredths. */
export function selectGroups(db: Db, courseId: number) {
  const { courseId: ofCourse, position, ...columns } = getTableColumns(gradebookGroups)
  return db
    .select(columns)
    .from(gradebookGroups)
    .where(eq(ofCourse, courseId))
    .orderBy(asc(position), asc(gradebookGroups.id))
}
type GroupRow = Awaited<ReturnType<typeof selectGroups>>[number]

const toPoints = (hundredths: number) => hundredths / 100
const toPointsOrNull = (hundredths: number | null) => hundredths && toPoints(hundredths)

/** How the total of a course is made: its column, its rule, and the other columns in order. */
export function toTotalRule(rows: readonly ColumnRow[]) {
  const total = rows.find(({ kind }) => kind === 'total')
  if (!total) throw new Error('a course without a total')
  const rule: TotalRule = { outOf: total.max, decimals: total.decimals }
  const columns = rows
    .filter(({ kind }) => kind !== 'total')
    .map((row): ColumnRow & TotalColumn => ({ ...row, max: row.max ?? 0 }))
  return { total, rule, columns }
}

/** What the total is out of, in hundredths. */
export function maxOfTotal(rows: readonly ColumnRow[], groups: readonly GroupRow[]): number {
  const { rule, columns } = toTotalRule(rows)
  return totalMax(rule, groups, columns)
}

/** Row → contract. @param totalMax of the gradebook, in hundredths */
export function toColumn(row: ColumnRow, totalMax: number): GradebookColumn {
  const { id, kind, homeworkId, name, groupId, isExtra, shown } = row
  const max = kind === 'total' ? totalMax : (row.max ?? 0)
  const weight = toPointsOrNull(row.weight)
  return { id, kind, homeworkId, name, max: toPoints(max), groupId, weight, extra: isExtra, shown }
}

/** Row → contract. */
export function toGroup({ isExtra, weight, ...group }: GroupRow): GradebookGroup {
  return { ...group, weight: toPointsOrNull(weight), extra: isExtra }
}

/** The columns that the caller sees, with the groups and the rule of the total. `version`: of the form. */
export async function getColumns(
  db: Db,
  { id: courseId, standing }: CourseStanding,
): Promise<{ version: number; columns: GradebookColumns }> {
  const [rows, groups] = await db.batch([selectColumns(db, courseId), selectGroups(db, courseId)])
  const { total } = toTotalRule(rows)
  const max = maxOfTotal(rows, groups)
  const { decimals, forAssistants, version } = total
  return {
    version,
    columns: {
      columns: rows.filter((row) => seesColumn(standing, row)).map((row) => toColumn(row, max)),
      groups: groups.map(toGroup),
      total: { outOf: toPointsOrNull(total.max), decimals, forAssistants, max: toPoints(max) },
    },
  }
}

const toHundredths = (points: number | null | undefined) =>
  points === null || points === undefined ? null : Math.round(points * 100)

/** The statements that refuse a form about groups and columns that the course does not have, or that leaves manual columns out. */
function demandKnown(db: Db, courseId: number, form: GradebookForm) {
  const { id, kind } = gradebookColumns
  const isOfCourse = eq(gradebookColumns.courseId, courseId)
  const inForm = (list: 'groups' | 'columns') => {
    const ids = form[list].flatMap((each) => each.id ?? [])
    return sql`select value as id from json_each(${JSON.stringify(ids)})`
  }
  const deleted = sql`select value as id from json_each(${JSON.stringify(form.deleted)})`
  const unknown = sql`select id from (${inForm('columns')}) where id not in
      (select ${id} from ${gradebookColumns} where ${isOfCourse} and ${kind} <> 'total')
    union all select id from (${deleted}) where id not in
      (select ${id} from ${gradebookColumns} where ${isOfCourse} and ${kind} = 'manual')`
  const gone = sql`select id from (${inForm('groups')}) where id not in
    (select ${gradebookGroups.id} from ${gradebookGroups} where ${gradebookGroups.courseId} = ${courseId})`
  const left = sql`select 1 from ${gradebookColumns} where ${isOfCourse} and ${kind} = 'manual'
    and ${id} not in (${inForm('columns')} union all ${deleted})`
  return [
    demand(
      db,
      'column_not_found',
      sql`not exists (${unknown})`,
      sql`json_object('unknown', (select json_group_array(id) from (${unknown})))`,
    ),
    // Groups that somebody else has deleted, and columns that somebody else has made.
    demand(db, 'stale_edit', sql`not exists (${gone}) and not exists (${left})`),
  ] as const
}

/** `on conflict` of the id: takes the new values if one of them differs, because each written row makes all totals stale. */
function updateChanged<Table extends typeof gradebookGroups | typeof gradebookColumns>(
  table: Table,
  values: Partial<Record<keyof Table['$inferInsert'], SQL>>,
): SQL {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table)
  const old = sql.join(
    Object.keys(values).map((key) => sql`${columns[key]}`),
    sql`, `,
  )
  const changed = sql.join(Object.values<SQL | undefined>(values), sql`, `)
  return sql`${onConflictUpdate(table, [table.id], values)} where (${old}) is not (${changed})`
}

/** The statements that write the groups of a form; their positions are those in the form. */
function storeGroups(db: Db, courseId: number, { groups }: GradebookForm) {
  const rows = groups.map(({ weight, ...row }) => ({ ...row, weight: toHundredths(weight) }))
  const json = JSON.stringify(rows)
  const { id, name, position, weight, dropLowest, capPercent, isExtra } = gradebookGroups
  const kept = groups.flatMap((group) => group.id ?? [])
  return [
    db
      .delete(gradebookGroups)
      .where(
        and(
          eq(gradebookGroups.courseId, courseId),
          sql`${id} not in (select value from json_each(${JSON.stringify(kept)}))`,
        ),
      ),
    insertSelect(
      db,
      gradebookGroups,
      {
        id: sql`value ->> 'id'`,
        courseId,
        name: sql`value ->> 'name'`,
        position: sql`key`,
        weight: sql`value ->> 'weight'`,
        dropLowest: sql`value ->> 'dropLowest'`,
        capPercent: sql`value ->> 'capPercent'`,
        isExtra: sql`value ->> 'extra'`,
      },
      sql`from json_each(${json}) where true ${updateChanged(gradebookGroups, {
        name: excluded(name),
        position: excluded(position),
        weight: excluded(weight),
        dropLowest: excluded(dropLowest),
        capPercent: excluded(capPercent),
        isExtra: excluded(isExtra),
      })}`,
    ),
  ] as const
}

/** The columns of a form with points in hundredths, as JSON. */
function columnsJson(columns: GradebookForm['columns']): string {
  return JSON.stringify(
    columns.map(({ max, weight, ...row }) => ({
      ...row,
      max: toHundredths(max),
      weight: toHundredths(weight),
    })),
  )
}

/** The statements that write the columns of a form. Homeworks that it leaves out move behind the others, in their order. */
function storeColumns(db: Db, courseId: number, { columns, deleted }: GradebookForm) {
  const json = columnsJson(columns)
  const { id, kind, name, max, position, groupId, weight, isExtra } = gradebookColumns
  const isOfCourse = eq(gradebookColumns.courseId, courseId)
  const isManual = sql`${kind} = 'manual'`
  const isListed = sql`${id} in (select value ->> 'id' from json_each(${json}))`
  return [
    db
      .delete(gradebookColumns)
      .where(
        and(
          isOfCourse,
          isManual,
          sql`${id} in (select value from json_each(${JSON.stringify(deleted)}))`,
        ),
      ),
    db
      .update(gradebookColumns)
      .set({ position: sql`${position} + ${columns.length}` })
      .where(
        and(isOfCourse, eq(kind, 'homework'), isNotNull(position), sql`(${isListed}) is not true`),
      ),
    insertSelect(
      db,
      gradebookColumns,
      {
        id: sql`value ->> 'id'`,
        courseId,
        kind: 'manual',
        name: sql`coalesce(value ->> 'name', '')`,
        max: sql`value ->> 'max'`,
        position: sql`key`,
        groupId: sql`(select ${gradebookGroups.id} from ${gradebookGroups}
          where ${gradebookGroups.courseId} = ${courseId} and ${gradebookGroups.position} = value ->> 'group')`,
        weight: sql`value ->> 'weight'`,
        isExtra: sql`value ->> 'extra'`,
        shown: 'no',
      },
      sql`from json_each(${json}) where true ${updateChanged(gradebookColumns, {
        name: sql`iif(${isManual} and ${excluded(name)} <> '', ${excluded(name)}, ${name})`,
        max: sql`iif(${isManual}, coalesce(${excluded(max)}, ${max}), ${max})`,
        position: excluded(position),
        groupId: excluded(groupId),
        weight: excluded(weight),
        isExtra: excluded(isExtra),
      })}`,
    ),
  ] as const
}

/** The statements that write how the total is made, and count the edit. */
function storeTotal(db: Db, courseId: number, { total }: GradebookForm) {
  const { kind, max, decimals, version } = gradebookColumns
  const isTotal = and(eq(gradebookColumns.courseId, courseId), eq(kind, 'total'))
  const outOf = toHundredths(total.outOf)
  return [
    db
      .update(gradebookColumns)
      .set({ max: outOf, decimals: total.decimals })
      .where(and(isTotal, sql`(${max}, ${decimals}) is not (${outOf}, ${total.decimals})`)),
    db
      .update(gradebookColumns)
      .set({ forAssistants: total.forAssistants, version: sql`${version} + 1` })
      .where(isTotal),
  ] as const
}

/** What a column is for the total, as JSON for the audit log. */
function columnJson(max: SQLWrapper, weight: SQLWrapper, isExtra: SQLWrapper, group: SQL): SQL {
  return sql`json_object('max', ${max} / 100.0, 'weight', ${weight} / 100.0,
    'extra', json(iif(${isExtra}, 'true', 'false')), 'group', (${group}))`
}

/** The statements that note in the audit log what a form changes: each mark that goes with its column, and the edit with the changed columns. They come before the changes. */
function auditForm(
  db: Db,
  { name: course }: CourseStanding,
  { groups, columns, deleted, total }: GradebookForm,
  change: Change,
) {
  const { id, kind, groupId, max, weight, isExtra } = gradebookColumns
  const field = (key: string) => sql`value ->> ${key}`
  const before = columnJson(
    max,
    weight,
    isExtra,
    sql`select ${gradebookGroups.name} from ${gradebookGroups} where ${gradebookGroups.id} = ${groupId}`,
  )
  const after = columnJson(
    sql`iif(${kind} = 'manual', coalesce(${field('max')}, ${max}), ${max})`,
    field('weight'),
    field('extra'),
    sql`select ${JSON.stringify(groups)} ->> ('$[' || (${field('group')}) || '].name')`,
  )
  const changed = sql`select json_group_array(json_object('id', ${id}, 'column', ${columnTitle}, 'before', ${before}, 'after', ${after}))
    from json_each(${columnsJson(columns)}) cross join ${gradebookColumns} on ${id} = ${field('id')} where ${before} <> ${after}`
  return [
    insertAudit(db, change, {
      action: 'mark.set',
      subject: sql`${id}`,
      detail: sql`json_object('course', ${course}, 'column', ${columnTitle}, 'username', ${users.username},
        'before', ${markJson(marks.hundredths, marks.isExcused)}, 'after', ${markJson(sql`null`, sql`0`)})`,
      from: sql`from json_each(${JSON.stringify(deleted)}) cross join ${gradebookColumns} on ${id} = value
        cross join ${marks} on ${marks.columnId} = ${id} cross join ${users} on ${users.id} = ${marks.userId} where true`,
    }),
    insertAudit(db, change, {
      action: 'gradebook.edit',
      subject: course,
      detail: sql`json_object('groups', ${groups.length}, 'columns', ${columns.length}, 'deleted', ${deleted.length},
        'total', json(${JSON.stringify(total)}), 'changed', json((${changed})))`,
    }),
  ] as const
}

/**
 * Writes the columns and groups of a gradebook and how its total is made, all or nothing.
 * @param basedOn version of the form that was edited; null overwrites any version
 * @throws Refusal `column_not_found` for a column that the course does not have, `stale_edit` where others were faster
 */
export async function writeColumns(
  db: Db,
  course: CourseStanding,
  form: GradebookForm,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const courseId = course.id
  const { version } = gradebookColumns
  const isTotal = sql`${gradebookColumns.courseId} = ${courseId} and ${gradebookColumns.kind} = 'total'`
  const isCurrent = sql`exists (select 1 from ${gradebookColumns} where ${isTotal} and ${isVersion(version, basedOn)})`
  await db.batch([
    demand(db, 'stale_edit', isCurrent),
    ...demandKnown(db, courseId, form),
    ...auditForm(db, course, form, change),
    ...storeGroups(db, courseId, form),
    ...storeColumns(db, courseId, form),
    ...storeTotal(db, courseId, form),
  ])
}
