/** The highest id that each table has given out: also to rows that were deleted, whose ids must not come again. */
import { NOTES, type Query, type Statement } from '../deploy/database.ts'

const READ = `select name, seq from sqlite_sequence where name <> '${NOTES}' and name not like '!_cf!_%' escape '!' order by name`

export async function readSequences(query: Query): Promise<Map<string, number>> {
  const rows = await query(READ)
  return new Map(rows.map(({ name, seq }) => [String(name), Number(seq)]))
}

/** The statements that set them. A table without rows may have none yet. */
export function sequenceStatements(sequences: ReadonlyMap<string, number>): Statement[] {
  return [...sequences].flatMap(([name, seq]) => [
    { sql: 'delete from sqlite_sequence where name = ?', params: [name] },
    {
      sql: 'insert into sqlite_sequence (name, seq) values (?, cast(? as integer))',
      params: [name, String(seq)],
    },
  ])
}
