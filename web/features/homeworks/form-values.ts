/**
 * The values of the homework form, and their conversion from and to the contract. Fields that are not declared here are
 * those of the contract.
 */
import { homeworkForm, type Homework, type HomeworkForm } from '#contract/homeworks'
import { formatDeadline, formatTime } from '../../lib/format/format.ts'
import { parseDeadline, parseTime } from '../../lib/format/parse-time.ts'
import { serverNowMs } from '../../lib/live/server-clock.ts'

type OwnValues = {
  problemIds: string[]
  /** `YYYY-MM-DD HH:mm`, in the reader's zone. */
  start: string
  /** The deadline in the same format; a time without seconds means the last second of its minute. */
  end: string
  scoreboard: ScoreboardFor
}
export type HomeworkValues = OwnValues &
  Omit<HomeworkForm, keyof OwnValues | 'scoreboardStatus' | 'scoreboardNames'>

/** Who sees the scoreboard: only staff, or students, too, without or with each other's names. */
export const SCOREBOARD_FOR = ['staff', 'pseudonyms', 'names'] as const
type ScoreboardFor = (typeof SCOREBOARD_FOR)[number]

/** The fields of a homework that can be changed in the homework form. */
type Stored = Pick<Homework, keyof HomeworkForm>
const FIELDS = homeworkForm.keyof().options

function scoreboardOf({ scoreboardStatus, scoreboardNames }: Stored): ScoreboardFor {
  if (scoreboardStatus === 1) return 'staff'
  return scoreboardNames ? 'names' : 'pseudonyms'
}

/** How many days a new homework runs by default. */
const DEFAULT_DAYS = 7

/** The form of a new homework, which starts with this hour and ends with the last minute of a day in the course's time zone. */
export function emptyHomework(timeZone: string): HomeworkValues {
  const start = Math.floor(serverNowMs() / 3_600_000) * 3_600
  const [lastDay] = formatTime(start + DEFAULT_DAYS * 86_400, timeZone).split(' ')
  const end = parseDeadline(`${lastDay} 23:59`, timeZone)
  return { ...toValues(homeworkForm.parse({ name: '–', start, end })), name: '' }
}

/** The form of a stored homework. */
export function toValues(homework: Stored): HomeworkValues {
  const form = Object.fromEntries(FIELDS.map((field) => [field, homework[field]])) as Stored
  const { scoreboardStatus: _s, scoreboardNames: _n, ...same } = form
  return {
    ...same,
    problemIds: form.problemIds.map(String),
    start: formatTime(form.start),
    end: formatDeadline(form.end),
    scoreboard: scoreboardOf(form),
  }
}

/** What a filled-in form sends. */
export function toBody({ scoreboard, ...values }: HomeworkValues): HomeworkForm {
  return {
    ...values,
    name: values.name.trim(),
    start: parseTime(values.start),
    end: parseDeadline(values.end),
    problemIds: values.problemIds.map(Number),
    scoreboardStatus: scoreboard === 'staff' ? 1 : 0,
    scoreboardNames: scoreboard === 'names',
  }
}
