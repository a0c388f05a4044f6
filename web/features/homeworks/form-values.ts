/** A homework as the form holds it, and what it makes of it: a new field of a homework is added here. */
import type { Homework, HomeworkForm } from '#contract/homeworks'
import { fromLocalInput, toLocalInput } from '../../lib/local-time-input.ts'
import { serverNowMs } from '../../lib/server-clock.ts'

export type HomeworkValues = {
  name: string
  problemIds: string[]
  /** As the browser's date-and-time field has them. */
  start: string
  end: string
  markdown: string
}

/** What the form fills in; who sees the scoreboard is not asked. */
export type HomeworkBody = Omit<HomeworkForm, 'scoreboardStatus'>

/** How long a new homework runs unless the form says otherwise. */
const DEFAULT_DAYS = 7

/** An empty form, beginning with this hour. */
export function emptyHomework(): HomeworkValues {
  const now = Math.floor(serverNowMs() / 3_600_000) * 3_600
  return {
    name: '',
    problemIds: [],
    start: toLocalInput(now),
    end: toLocalInput(now + DEFAULT_DAYS * 86_400),
    markdown: '',
  }
}

/** The form of a stored homework. */
export function toValues(homework: Homework): HomeworkValues {
  return {
    name: homework.name,
    problemIds: homework.problemIds.map(String),
    start: toLocalInput(homework.start),
    end: toLocalInput(homework.end),
    markdown: homework.markdown,
  }
}

/** What a filled-in form sends. */
export function toBody(values: HomeworkValues): HomeworkBody {
  return {
    name: values.name.trim(),
    markdown: values.markdown,
    start: fromLocalInput(values.start),
    end: fromLocalInput(values.end),
    problemIds: values.problemIds.map(Number),
  }
}
