/** The fields of a homework between its form, its row and the wire: a new one is added here. */
import type { Homework, HomeworkForm } from '#contract/homeworks'
import type { homeworks } from '../../db/schema.ts'

/** Form → columns; its problems are rows of their own. */
export function toColumns(form: HomeworkForm) {
  return {
    name: form.name,
    markdown: form.markdown,
    startAt: form.start,
    endAt: form.end,
    scoreboardStatus: form.scoreboardStatus,
    scoreboardNames: form.scoreboardNames ? 1 : 0,
  } satisfies Partial<typeof homeworks.$inferInsert>
}

/** Row → wire. @param isOpen whether the reader may see the text: it has begun, or they are staff */
export function toFields(row: typeof homeworks.$inferSelect, isOpen: boolean) {
  return {
    id: row.id,
    name: row.name,
    start: row.startAt,
    end: row.endAt,
    markdown: isOpen ? row.markdown : '',
    scoreboardStatus: row.scoreboardStatus,
    scoreboardNames: row.scoreboardNames === 1,
  } satisfies Partial<Homework>
}
