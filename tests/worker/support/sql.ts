/**
 * SQL on the real database, for what no call of the API can arrange or show: firstRow`select …
   where id = ${id}`.
 * Each `${value}` is bound as a parameter.
 */
import { env } from 'cloudflare:workers'

const statementOf = (texts: TemplateStringsArray, values: unknown[]) =>
  env.DB.prepare(texts.join('?')).bind(...values)

/** Runs a statement whose rows nobody needs. */
export const runSql = (texts: TemplateStringsArray, ...values: unknown[]) =>
  statementOf(texts, values).run()

/** The numbers below one, for `json_each`. */
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

/** The steps of the plan by which SQLite answers a statement. */
export async function queryPlan(sql: string, ...values: unknown[]): Promise<string[]> {
  const plan = env.DB.prepare(`explain query plan ${sql}`).bind(...values)
  const { results } = await plan.all<{ detail: string }>()
  return results.map(({ detail }) => detail)
}
