/**
 * SQL on the real database, for states that no call can make or show: firstRow`select …
   where id = ${id}`.
 * Each `${value}` is bound as a parameter.
 */
import { env } from 'cloudflare:workers'

const statementOf = (texts: TemplateStringsArray, values: unknown[]) =>
  env.DB.prepare(texts.join('?')).bind(...values)

/** Runs a statement without using its rows. */
export const runSql = (texts: TemplateStringsArray, ...values: unknown[]) =>
  statementOf(texts, values).run()

/** The numbers from 0 to `count - 1`, for `json_each`. */
export const numbersBelow = (count: number) => JSON.stringify([...Array(count).keys()])

/** The first row, or null. */
export const firstRow = <T = Record<string, unknown>>(
  texts: TemplateStringsArray,
  ...values: unknown[]
) => statementOf(texts, values).first<T>()

/** The only column of the first row. */
export async function firstValue<T = unknown>(texts: TemplateStringsArray, ...values: unknown[]) {
  const [row] = await statementOf(texts, values).raw<[T]>()
  return row?.[0] ?? null
}

/** All rows. */
export async function allRows<T = Record<string, unknown>>(
  texts: TemplateStringsArray,
  ...values: unknown[]
) {
  const { results } = await statementOf(texts, values).all<T>()
  return results
}

/** The steps of SQLite's query plan for a statement. */
export async function queryPlan(sql: string, ...values: unknown[]): Promise<string[]> {
  const plan = env.DB.prepare(`explain query plan ${sql}`).bind(...values)
  const { results } = await plan.all<{ detail: string }>()
  return results.map(({ detail }) => detail)
}
