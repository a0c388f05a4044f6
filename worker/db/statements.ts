/** Parts of statements that drizzle's builders do not make: an insert from a select, an upsert under conditions. */
import { Column, getTableColumns, is, SQL, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { rawQuery, type Db } from './client.ts'

const comma = sql`, `

/** Values by column: each a value of the column's type, another column or an expression. */
type ValuesOf<Row> = { [Key in keyof Row]: Row[Key] | Column | SQL }

/** The name of a column without its table: all that `on conflict (…)` and `excluded.…` take. */
export function columnName(column: Column): SQL {
  return sql`${sql.identifier(column.keyAsName ? toSnakeCase(column.name) : column.name)}`
}

/** What the insert would have written, for the `set` of its upsert. */
export function excluded(column: Column): SQL {
  return sql`excluded.${columnName(column)}`
}

/**
 * The database's time in epoch ms. Times that claims are compared with need it: a request that writes one may have begun seconds ago.
 */
export const databaseNowMs = sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`

/** A number written into the statement: SQLite uses a partial index only where its condition stands literally. */
export function inlineNumber(value: number): SQL {
  return sql.raw(String(value))
}

/**
 * A select as a field of another select. In a query of one table, drizzle removes the table's name from a column that stands
 * directly in a field (drizzle-orm 0.45); within this select, columns keep the name.
 */
export function scalar<Value>(select: SQL): SQL<Value> {
  return sql<Value>`(${select})`
}

/** The columns and their values, in the order of `values`. */
function pairs(
  table: SQLiteTable,
  values: Record<string, unknown>,
): { column: Column; value: SQL }[] {
  const columns: Record<string, Column> = getTableColumns(table)
  return Object.entries(values).map(([key, value]) => {
    const column = columns[key]
    if (column === undefined) throw new Error(`no column ${key}`)
    return {
      column,
      value: is(value, SQL) || is(value, Column) ? sql`${value}` : sql`${sql.param(value, column)}`,
    }
  })
}

/**
 * The statement `insert into … select …` of one value or expression for each column.
 * @param rest from the `from` on
 */
export function insertSelect<Table extends SQLiteTable, Row = unknown>(
  db: Db,
  table: Table,
  values: ValuesOf<Table['$inferInsert']>,
  rest: SQL = sql``,
) {
  const list = pairs(table, values)
  const columns = list.map(({ column }) => columnName(column))
  const selected = list.map(({ value }) => value)
  return rawQuery<Row>(
    db,
    sql`insert into ${table} (${sql.join(columns, comma)}) select ${sql.join(selected, comma)} ${rest}`,
  )
}

/** `on conflict (…) do update set …`. @param keys the columns that find an existing row */
export function onConflictUpdate<Table extends SQLiteTable>(
  table: Table,
  keys: Column[],
  values: Partial<ValuesOf<Table['$inferInsert']>>,
): SQL {
  const list = pairs(table, values).map(
    ({ column, value }) => sql`${columnName(column)} = ${value}`,
  )
  return sql`on conflict (${sql.join(keys.map(columnName), comma)}) do update set ${sql.join(list, comma)}`
}
