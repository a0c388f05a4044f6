/** Converts a homework between its form, its row and the wire. A field that is not named here is the same in form, row and wire. */
import { HOMEWORK_TEXTS, type HomeworkForm } from '#contract/homeworks'
import type { homeworks } from '../../db/schema.ts'

const NO_TEXTS = Object.fromEntries(HOMEWORK_TEXTS.map((name) => [name, '']))

/** Form → columns; its problems and their points are rows of their own. */
export function toColumns(form: HomeworkForm) {
  const { problemIds: _i, points: _p, start, end, close, ...same } = form
  return {
    ...same,
    startAt: start,
    endAt: end,
    closeAt: close,
    scoreboardNames: form.scoreboardNames ? 1 : 0,
  } satisfies Partial<typeof homeworks.$inferInsert>
}

/** Row → wire. @param isOpen whether the reader may see the texts: the homework has opened for them, or the reader is staff */
export function toFields(row: typeof homeworks.$inferSelect, isOpen: boolean) {
  const { courseId: _c, budgetId: _b, version: _v, createdAt: _n, updatedAt: _u, ...sent } = row
  const { startAt, endAt, closeAt, ...same } = sent
  return {
    ...same,
    ...(isOpen ? {} : NO_TEXTS),
    start: startAt,
    end: endAt,
    close: closeAt,
    scoreboardNames: row.scoreboardNames === 1,
  }
}
