/** D1's SQL over the REST API; its server accepts less than SQLite does. */
import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { Refusal } from './account.ts'

const single = z.strictObject({ sql: z.string(), params: z.array(z.string()).optional() })
const queries = z.union([single, z.strictObject({ batch: z.array(single) })])

/** The most bytes of a query's result. */
const MOST_RESULT_BYTES = 50_000_000

const SQL_ERROR = 7500

const MOST_MS = 30_000

/** The pragmas that D1 documents (developers.cloudflare.com/d1/sql-api/sql-statements); it refuses all others. */
const PRAGMAS = new Set([
  'table_info',
  'table_xinfo',
  'table_list',
  'index_info',
  'index_list',
  'index_xinfo',
  'quick_check',
  'foreign_keys',
  'foreign_key_check',
  'foreign_key_list',
  'defer_foreign_keys',
  'case_sensitive_like',
  'ignore_check_constraints',
  'legacy_alter_table',
  'recursive_triggers',
  'reverse_unordered_selects',
  'optimize',
])

/**
 * Cuts SQL as D1's server does. It recognises texts, names and the body of a trigger by `BEGIN` and `END` in capitals, but no
 * comments: a semicolon in a comment ends a statement.
 */
function splitStatements(sql: string): string[] {
  const parts = [...sql.matchAll(/'[^']*'?|"[^"]*"?|`[^`]*`?|\bBEGIN\b|\bCASE\b|\bEND\b|;|[^]/g)]
  const statements = ['']
  let depth = 0
  for (const [part] of parts) {
    if (part === 'BEGIN' || part === 'CASE') depth += 1
    if (part === 'END') depth -= 1
    if (part === ';' && depth <= 0) statements.push('')
    else statements.push(`${statements.pop()}${part}`)
  }
  return statements.filter((statement) => statement.trim() !== '')
}

/** SQL without comments and quoted parts. */
function bareSql(sql: string): string {
  return sql.replaceAll(/'[^']*'|"[^"]*"|`[^`]*`|--.*|\/\*[^]*?\*\//g, ' ').trim()
}

const isTrigger = (statement: string) =>
  /^create\s+(temp\w*\s+)?trigger\b/i.test(bareSql(statement))

function requireOneStatement(statement: string): void {
  const bare = bareSql(statement)
  if (bare === '') throw new Error('SQL code did not contain a statement.')
  if (!isTrigger(statement) && /;\s*\S/.test(bare))
    throw new Error('A prepared SQL statement must contain only one statement.')
  const pragmas = [...bare.matchAll(/^pragma\s+(?:\w+\.)?(\w+)|\bpragma_(\w+)/gi)]
  const isKnown = pragmas.every(([, name, ofTable]) =>
    PRAGMAS.has((name ?? ofTable ?? '').toLowerCase()),
  )
  if (!isKnown || /^(begin|commit|rollback|savepoint|release|attach|detach|vacuum)\b/i.test(bare))
    throw new Error('not authorized: SQLITE_AUTH')
}

function runOne(sqlite: DatabaseSync, { sql, params = [] }: z.infer<typeof single>) {
  const statements = splitStatements(sql)
  const triggers = statements.filter(isTrigger)
  if (triggers.length > 0 && (statements.length > 1 || triggers.some((one) => one.includes('\r'))))
    throw new Error('incomplete input: SQLITE_ERROR')
  if (statements.length > 1 && params.length > 0)
    throw new Error('Parameters go with a single statement.')
  return statements.map((statement) => {
    requireOneStatement(statement)
    const results = sqlite.prepare(statement).all(...params)
    if (JSON.stringify(results).length > MOST_RESULT_BYTES)
      throw new Error('query result exceeds 50 MB')
    return { results, success: true, meta: {} }
  })
}

/**
 * Runs the queries of a call in one transaction: SQL of one or several statements, or a batch of them.
 * @param mostMs a call that took longer is rolled back, because SQLite cannot be stopped here
 */
export function runQueries(sqlite: DatabaseSync, body: unknown, mostMs = MOST_MS): unknown {
  const parsed = queries.safeParse(body)
  if (!parsed.success) throw new Refusal(400, 7400, z.prettifyError(parsed.error))
  const list = 'batch' in parsed.data ? parsed.data.batch : [parsed.data]
  const startedAt = performance.now()
  sqlite.exec('BEGIN')
  try {
    const results = list.flatMap((query) => runOne(sqlite, query))
    if (performance.now() - startedAt > mostMs) throw new Error('D1 DB query timed out')
    sqlite.exec('COMMIT')
    return results
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec('ROLLBACK')
    throw new Refusal(400, SQL_ERROR, error instanceof Error ? error.message : String(error))
  }
}
