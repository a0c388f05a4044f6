/** Copies the gradebook of a course: groups, columns and the rule of the total, without marks and without what is shown. */
import { sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { rawQuery, type Db } from '../../db/client.ts'
import { gradebookColumns, gradebookGroups } from '../../db/schema.ts'
import { columnName, insertSelect } from '../../db/statements.ts'

const old = alias(gradebookColumns, 'old')
const oldGroup = alias(gradebookGroups, 'old_group')

/**
 * The statements that copy a gradebook. The copies of homeworks have their columns already.
 * @param courseId selects the id of the copy
 * @param copied the homeworks that came along
 */
export function copyGradebook(
  db: Db,
  from: number,
  courseId: SQL,
  copied: readonly { id: string; copyId: string }[],
) {
  const { position, groupId, weight, isExtra, max, decimals, forAssistants } = gradebookColumns
  const { name, dropLowest, capPercent } = gradebookGroups
  // Groups have one position each.
  const groupOfCopy = sql`(select ${gradebookGroups.id} from ${gradebookGroups} ${oldGroup}
    join ${gradebookGroups} on ${gradebookGroups.courseId} = ${courseId} and ${gradebookGroups.position} = ${oldGroup.position}
    where ${oldGroup.id} = ${old.groupId})`
  return [
    insertSelect(
      db,
      gradebookGroups,
      {
        courseId,
        name,
        position: gradebookGroups.position,
        weight: gradebookGroups.weight,
        dropLowest,
        capPercent,
        isExtra: gradebookGroups.isExtra,
      },
      sql`from ${gradebookGroups} where ${gradebookGroups.courseId} = ${from}`,
    ),
    rawQuery<never>(
      db,
      sql`update ${gradebookColumns} set ${columnName(position)} = ${old.position}, ${columnName(groupId)} = ${groupOfCopy},
          ${columnName(weight)} = ${old.weight}, ${columnName(isExtra)} = ${old.isExtra}
        from json_each(${JSON.stringify(copied)}) w join ${gradebookColumns} ${old} on ${old.homeworkId} = w.value ->> 'id'
        where ${gradebookColumns.homeworkId} = w.value ->> 'copyId'`,
    ),
    insertSelect(
      db,
      gradebookColumns,
      {
        courseId,
        kind: 'manual',
        name: old.name,
        max: old.max,
        position: old.position,
        groupId: groupOfCopy,
        weight: old.weight,
        isExtra: old.isExtra,
        shown: 'no',
      },
      sql`from ${gradebookColumns} ${old} where ${old.courseId} = ${from} and ${old.kind} = 'manual' order by ${old.id}`,
    ),
    rawQuery<never>(
      db,
      sql`update ${gradebookColumns} set ${columnName(max)} = ${old.max}, ${columnName(decimals)} = ${old.decimals},
          ${columnName(forAssistants)} = ${old.forAssistants}
        from ${gradebookColumns} ${old} where ${old.courseId} = ${from} and ${old.kind} = 'total'
          and ${gradebookColumns.courseId} = ${courseId} and ${gradebookColumns.kind} = 'total'`,
    ),
  ] as const
}
