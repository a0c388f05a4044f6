/**
 * The values of the homework form, and their conversion from and to the contract. Fields that are not declared here are
 * those of the contract.
 */
import { counts, type Counts } from '#contract/homework-dates'
import { homeworkForm, type Homework, type HomeworkForm } from '#contract/homeworks'
import { TOTAL_SCORE } from '#contract/limits'
import { formatDeadline, formatTime } from '../../lib/format/format.ts'
import { toNumber, type NumberField } from '../../lib/format/number-field.ts'
import { parseDeadline, parseTime } from '../../lib/format/parse-time.ts'
import { serverNowMs } from '../../lib/live/server-clock.ts'
import { toLateRule, toLateValues, type LateValues } from './late-values.ts'

type OwnValues = {
  problemIds: string[]
  /** Problem id → points; those that are not here have `TOTAL_SCORE`. */
  points: Record<string, NumberField>
  /** `YYYY-MM-DD HH:mm`, in the reader's zone. */
  start: string
  /** The deadline in the same format; a time without seconds means the last second of its minute. */
  end: string
  graceMinutes: NumberField
  counts: CountsChoice
  scoreboard: ScoreboardFor
}
export type HomeworkValues = OwnValues &
  LateValues &
  Omit<
    HomeworkForm,
    keyof OwnValues | keyof LateValues | 'lateRule' | 'scoreboardStatus' | 'scoreboardNames'
  >

/** Which submission counts: as the course has it, or as the homework says. */
export const COUNTS_CHOICES = ['course', ...counts.options] as const
type CountsChoice = 'course' | Counts

/** Who sees the scoreboard: only staff, or students, too, without or with each other's names. */
export const SCOREBOARD_FOR = ['staff', 'pseudonyms', 'names'] as const
type ScoreboardFor = (typeof SCOREBOARD_FOR)[number]

/** The fields of a homework that can be changed in the homework form. */
type Stored = Omit<Pick<Homework, keyof HomeworkForm>, 'points'> & { points?: number[] | undefined }
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

function pointsAt({ points }: Stored, index: number): number {
  return points?.[index] ?? TOTAL_SCORE
}

/** The form of a stored homework. */
export function toValues(homework: Stored): HomeworkValues {
  const form = Object.fromEntries(FIELDS.map((field) => [field, homework[field]])) as Stored
  const { scoreboardStatus: _s, scoreboardNames: _n, lateRule: _l, ...same } = form
  return {
    ...same,
    ...toLateValues(form),
    problemIds: form.problemIds.map(String),
    points: Object.fromEntries(form.problemIds.map((id, index) => [id, pointsAt(form, index)])),
    counts: form.counts ?? 'course',
    start: formatTime(form.start),
    end: formatDeadline(form.end),
    scoreboard: scoreboardOf(form),
  }
}

/** What a filled-in form sends. */
export function toBody(values: HomeworkValues): HomeworkForm {
  const end = parseDeadline(values.end)
  return {
    name: values.name.trim(),
    markdown: values.markdown,
    start: parseTime(values.start),
    end,
    ...toLateRule(values, end),
    graceMinutes: toNumber(values.graceMinutes),
    counts: values.counts === 'course' ? null : values.counts,
    problemIds: values.problemIds.map(Number),
    points: values.problemIds.map((id) => toNumber(values.points[id] ?? TOTAL_SCORE)),
    scoreboardStatus: values.scoreboard === 'staff' ? 1 : 0,
    scoreboardNames: values.scoreboard === 'names',
  }
}
