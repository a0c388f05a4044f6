/** The part of the homework form that says what late work counts, and its conversion from and to the contract. */
import type { LateRule } from '#contract/homework-dates'
import type { HomeworkForm } from '#contract/homeworks'
import { formatDeadline } from '../../lib/format/format.ts'
import { toNumber, type NumberField } from '../../lib/format/number-field.ts'
import { parseDeadline } from '../../lib/format/parse-time.ts'

const HOUR_SECONDS = 3_600

/** Rules to choose from: the hours from the due time until the homework closes, and what late work counts meanwhile. */
const PRESETS = {
  hard: { hours: 0, lateRule: { kind: 'none' } },
  full: { hours: 168, lateRule: { kind: 'none' } },
  daily: {
    hours: 72,
    lateRule: { kind: 'units', unitMinutes: 1_440, percent: 10, how: 'multiply', floor: 0 },
  },
  half: { hours: 24, lateRule: { kind: 'steps', steps: [{ afterHours: 0, percent: 50 }] } },
} satisfies Record<string, { hours: number; lateRule: LateRule }>

/** What the form lets choose: a preset, or a rule of one's own. */
export const LATE_CHOICES = ['hard', 'full', 'daily', 'half', 'own'] as const
export type LateChoice = (typeof LATE_CHOICES)[number]

export const RULE_KINDS = ['none', 'steps', 'units'] as const
export const HOWS = ['multiply', 'subtract', 'cap'] as const

/** Minutes of each unit. */
const UNIT_MINUTES = { minutes: 1, hours: 60, days: 1_440 } as const
export const UNITS = ['minutes', 'hours', 'days'] as const
type Unit = (typeof UNITS)[number]

interface StepValues {
  afterHours: NumberField
  percent: NumberField
}

export type LateValues = {
  late: LateChoice
  /** When the homework closes, as `formatDeadline` writes it; '' when it is due. Only for an own rule, like all that follows. */
  close: string
  ruleKind: LateRule['kind']
  steps: StepValues[]
  unitAmount: NumberField
  unit: Unit
  unitPercent: NumberField
  how: (typeof HOWS)[number]
  floor: NumberField
}

type Stored = Pick<HomeworkForm, 'end' | 'close' | 'lateRule'>

/** The largest unit of which a time has a whole number. */
function unitOf(minutes: number): Unit {
  return UNITS.findLast((unit) => minutes % UNIT_MINUTES[unit] === 0) ?? 'minutes'
}

function choiceOf({ end, close, lateRule }: Stored): LateChoice {
  const hours = ((close ?? end) - end) / HOUR_SECONDS
  const isSame = (choice: Exclude<LateChoice, 'own'>) =>
    PRESETS[choice].hours === hours &&
    JSON.stringify(PRESETS[choice].lateRule) === JSON.stringify(lateRule)
  return LATE_CHOICES.find((choice) => choice !== 'own' && isSame(choice)) ?? 'own'
}

/** The fields for a stored rule. */
export function toLateValues(stored: Stored): LateValues {
  const { close, lateRule } = stored
  const units = lateRule.kind === 'units' ? lateRule : PRESETS.daily.lateRule
  const steps = lateRule.kind === 'steps' ? lateRule.steps : PRESETS.half.lateRule.steps
  const unit = unitOf(units.unitMinutes)
  return {
    late: choiceOf(stored),
    close: close === null ? '' : formatDeadline(close),
    ruleKind: lateRule.kind,
    steps: steps.map((step) => ({ ...step })),
    unitAmount: units.unitMinutes / UNIT_MINUTES[unit],
    unit,
    unitPercent: units.percent,
    how: units.how,
    floor: units.floor,
  }
}

function toRule(values: LateValues): LateRule {
  const { ruleKind, steps, unitAmount, unit, unitPercent, how, floor } = values
  if (ruleKind === 'none') return { kind: 'none' }
  if (ruleKind === 'steps')
    return {
      kind: 'steps',
      steps: steps.map(({ afterHours, percent }) => ({
        afterHours: toNumber(afterHours),
        percent: toNumber(percent),
      })),
    }
  return {
    kind: 'units',
    unitMinutes: toNumber(unitAmount) * UNIT_MINUTES[unit],
    percent: toNumber(unitPercent),
    how,
    floor: toNumber(floor),
  }
}

/** What the fields send. @param end epoch seconds of the due time */
export function toLateRule(values: LateValues, end: number): Pick<Stored, 'close' | 'lateRule'> {
  const { late, close } = values
  if (late === 'own')
    return { close: close === '' ? null : parseDeadline(close), lateRule: toRule(values) }
  const { hours, lateRule } = PRESETS[late]
  return { close: hours === 0 ? null : end + hours * HOUR_SECONDS, lateRule }
}

/** The form with another choice. An own rule starts with what the choice before it means. */
export function withChoice<Values extends LateValues & { end: string }>(
  values: Values,
  chosen: string,
): Values {
  const late = LATE_CHOICES.find((choice) => choice === chosen) ?? 'hard'
  const end = parseDeadline(values.end)
  if (late !== 'own' || Number.isNaN(end)) return { ...values, late }
  return { ...values, ...toLateValues({ end, ...toLateRule(values, end) }), late }
}
