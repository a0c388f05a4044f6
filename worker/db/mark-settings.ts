/** What staff set in cells of a gradebook. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { markSettings } from './schema.ts'

const newest = alias(markSettings, 'newest')

/** The condition that a row of `mark_settings` is the newest of its cell, which is in force. */
export function isSettingOf(columnId: SQLWrapper, userId: SQLWrapper): SQL {
  return sql`${markSettings.id} = (select max(${newest.id}) from ${markSettings} ${newest}
    where ${newest.columnId} = ${columnId} and ${newest.userId} = ${userId})`
}

/** A cell's mark for the audit log, as JSON. */
export function markJson(hundredths: SQLWrapper, isExcused: SQLWrapper): SQL {
  return sql`json_object('points', ${hundredths} / 100.0, 'excused', json(iif(${isExcused}, 'true', 'false')))`
}
