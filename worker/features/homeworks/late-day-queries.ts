/** Reads budgets of late days with their homeworks, and what students asked for. */
import { sql, type SQL } from 'drizzle-orm'
import { aliasColumns, rawQuery, type Db } from '../../db/client.ts'
import { askedLateDays, homeworks, lateDayBudgets } from '../../db/schema.ts'
import { isOf, type Whose } from './own-dates.ts'

const { size, mostEach, spending, movesClosing } = lateDayBudgets
const { budgetName: name, ...others } = aliasColumns({
  budgetName: lateDayBudgets.name,
  size,
  mostEach,
  spending,
  movesClosing,
})

/** The columns of a `LateDayRule`, for a batch; they are null beside a homework without a budget. */
export const ruleColumns = { name, ...others }

/** The days that a student asked to use in a homework. */
export interface AskedRow {
  homeworkId: string
  userId: number
  days: number
}

/** What people asked for. @param which condition on `homeworks` */
export function selectAsked(db: Db, which: SQL, whose: Whose) {
  const { homeworkId, userId, days } = askedLateDays
  const isMeant = sql`${homeworks.id} = ${homeworkId} and ${homeworks.budgetId} is not null and ${which}`
  // Who asked for nothing costs no row: `iif` keeps SQLite from reading the homeworks first.
  const from =
    whose === 'all'
      ? sql`${homeworks} cross join ${askedLateDays} where ${isMeant}`
      : sql`${askedLateDays} where ${isOf(userId, whose)}
          and iif(exists (select 1 from ${homeworks} where ${isMeant}), 1, 0)`
  return rawQuery<AskedRow>(
    db,
    sql`select ${homeworkId} as homeworkId, ${userId} as userId, ${days} from ${from}`,
  )
}
