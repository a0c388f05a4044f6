/** Converts a homework between its form, its row and the wire. A field that is not named here is the same in form, row and wire. */
import { HOMEWORK_TEXTS, type HomeworkForm } from '#contract/homeworks'
import type { homeworks } from '../../db/schema.ts'

const NO_TEXTS = Object.fromEntries(HOMEWORK_TEXTS.map((name) => [name, '']))

/** Form → columns; its problems are rows of their own. */
export function toColumns(form: HomeworkForm) {
  const { problemIds: _, start, end, ...same } = form
  return {
    ...same,
    startAt: start,
    endAt: end,
    scoreboardNames: form.scoreboardNames ? 1 : 0,
  } satisfies Partial<typeof homeworks.$inferInsert>
}

/** Row → wire. @param isOpen whether the reader may see the texts: the homework has begun, or the reader is staff */
export function toFields(row: typeof homeworks.$inferSelect, isOpen: boolean) {
  const { courseId: _c, version: _v, createdAt: _n, updatedAt: _u, startAt, endAt, ...same } = row
  return {
    ...same,
    ...(isOpen ? {} : NO_TEXTS),
    start: startAt,
    end: endAt,
    scoreboardNames: row.scoreboardNames === 1,
  }
}
