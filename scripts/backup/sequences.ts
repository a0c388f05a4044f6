/** The highest id that each table has given out, also to deleted rows: ids must not be used again. */
import { NOTES, type Query, type Statement } from '../deploy/database.ts'

const READ = `select name, seq from sqlite_sequence where name <> '${NOTES}' and name not like '!_cf!_%' escape '!' order by name`

export async function readSequences(query: Query): Promise<Map<string, number>> {
  const rows = await query(READ)
  return new Map(rows.map(({ name, seq }) => [String(name), Number(seq)]))
}

/** The statements that set the highest ids. A table that has had no rows may have no entry yet. */
export function sequenceStatements(sequences: ReadonlyMap<string, number>): Statement[] {
  return [...sequences].flatMap(([name, seq]) => [
    { sql: 'delete from sqlite_sequence where name = ?', params: [name] },
    {
      sql: 'insert into sqlite_sequence (name, seq) values (?, cast(? as integer))',
      params: [name, String(seq)],
    },
  ])
}
