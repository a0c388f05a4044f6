/** A homework as the form holds it, and what it makes of it: a new field of a homework is added here. */
import type { Homework, HomeworkForm } from '#contract/homeworks'
import { formatTime } from '../../lib/format/format.ts'
import { parseTime } from '../../lib/format/parse-time.ts'
import { serverNowMs } from '../../lib/live/server-clock.ts'

export type HomeworkValues = {
  name: string
  problemIds: string[]
  /** `YYYY-MM-DD HH:mm`, in the reader's zone. */
  start: string
  end: string
  markdown: string
  scoreboard: ScoreboardFor
}

/** Who sees the scoreboard: staff alone, or students, too, without or with each other's names. */
export const SCOREBOARD_FOR = ['staff', 'pseudonyms', 'names'] as const
type ScoreboardFor = (typeof SCOREBOARD_FOR)[number]

function scoreboardOf({ scoreboardStatus, scoreboardNames }: Homework): ScoreboardFor {
  if (scoreboardStatus === 1) return 'staff'
  return scoreboardNames ? 'names' : 'pseudonyms'
}

/** How long a new homework runs unless the form says otherwise. */
const DEFAULT_DAYS = 7

/** An empty form, from this hour to the last minute of a day in the course. */
export function emptyHomework(timeZone: string): HomeworkValues {
  const now = Math.floor(serverNowMs() / 3_600_000) * 3_600
  const [lastDay] = formatTime(now + DEFAULT_DAYS * 86_400, timeZone).split(' ')
  return {
    name: '',
    problemIds: [],
    start: formatTime(now),
    end: formatTime(parseTime(`${lastDay} 23:59`, timeZone)),
    markdown: '',
    scoreboard: 'staff',
  }
}

/** The form of a stored homework. */
export function toValues(homework: Homework): HomeworkValues {
  return {
    name: homework.name,
    problemIds: homework.problemIds.map(String),
    start: formatTime(homework.start),
    end: formatTime(homework.end),
    markdown: homework.markdown,
    scoreboard: scoreboardOf(homework),
  }
}

/** What a filled-in form sends. */
export function toBody(values: HomeworkValues): HomeworkForm {
  return {
    name: values.name.trim(),
    markdown: values.markdown,
    start: parseTime(values.start),
    end: parseTime(values.end),
    problemIds: values.problemIds.map(Number),
    scoreboardStatus: values.scoreboard === 'staff' ? 1 : 0,
    scoreboardNames: values.scoreboard === 'names',
  }
}
