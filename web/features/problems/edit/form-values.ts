/** Values of the problem form, and their conversion from and to the contract. */
import { LANGUAGES } from '#contract/languages'
import { ALL_LANGUAGES_MASK } from '#contract/languages/codes'
import { QUOTA_UNLIMITED, TOTAL_SCORE } from '#contract/limits'
import { PROBLEM_STATUS, type ManagedProblem, type ProblemFormInput } from '#contract/problems'
import { mbToKb } from '../../../lib/format/format.ts'
import { toNumber, type NumberField } from '../../../lib/format/number-field.ts'
import { newCompare, toCompare, toCompareValues, type CompareValues } from './compare-values.ts'
import {
  newLimits,
  newSubtask,
  sharedLimits,
  toSubtaskValues,
  type LimitValues,
  type SubtaskValues,
} from './subtask-values.ts'

export type ProblemValues = {
  problemName: string
  hidden: boolean
  unlimited: boolean
  quota: NumberField
  /** Comma-separated. */
  tags: string
  /** Language codes as texts, for checkboxes. */
  languages: string[]
  description: string
  input: string
  output: string
  hint: string
  samples: { input: string; output: string }[]
  subtasks: SubtaskValues[]
  /** The limits of all subtasks; null: each has its own. */
  limits: LimitValues | null
  /** Whether the test data are typed into the form and not uploaded. */
  typesCases: boolean
  compare: CompareValues
}

/** An empty form: hidden, unlimited, every language, one subtask. */
export function emptyProblem(): ProblemValues {
  return {
    problemName: '',
    hidden: true,
    unlimited: true,
    quota: 10,
    tags: '',
    languages: LANGUAGES.map((language) => String(language.code)),
    description: '',
    input: '',
    output: '',
    hint: '',
    samples: [{ input: '', output: '' }],
    subtasks: [newSubtask(1, TOTAL_SCORE)],
    limits: newLimits(),
    typesCases: false,
    compare: newCompare(),
  }
}

function maskToCodes(mask: number): string[] {
  return LANGUAGES.filter((language) => (mask & language.mask) !== 0).map(({ code }) =>
    String(code),
  )
}

function codesToMask(codes: string[]): number {
  return LANGUAGES.filter(({ code }) => codes.includes(String(code))).reduce(
    (mask, language) => mask | language.mask,
    0,
  )
}

/** The form of a stored problem. */
export function toValues(problem: ManagedProblem): ProblemValues {
  const { description } = problem
  const subtasks = toSubtaskValues(problem.testCase)
  return {
    problemName: problem.problemName,
    hidden: problem.status === PROBLEM_STATUS.HIDDEN,
    unlimited: problem.quota === QUOTA_UNLIMITED,
    quota: problem.quota === QUOTA_UNLIMITED ? 10 : problem.quota,
    tags: problem.tags.join(', '),
    languages: maskToCodes(problem.allowedLanguage & ALL_LANGUAGES_MASK),
    description: description.description,
    input: description.input,
    output: description.output,
    hint: description.hint,
    samples: description.sampleInput.map((input, index) => ({
      input,
      output: description.sampleOutput[index] ?? '',
    })),
    subtasks,
    limits: sharedLimits(subtasks),
    typesCases: false,
    compare: toCompareValues(problem.compare),
  }
}

/** Tags from the comma-separated text, without blanks and repetitions. */
export function splitTags(text: string): string[] {
  const tags = text.split(/[,，]/).map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))]
}

/** The form in the contract's shape; the schema refuses what is missing. */
export function toForm(values: ProblemValues): ProblemFormInput {
  const samples = values.samples.filter(({ input, output }) => input !== '' || output !== '')
  return {
    problemName: values.problemName.trim(),
    status: values.hidden ? PROBLEM_STATUS.HIDDEN : PROBLEM_STATUS.VISIBLE,
    type: 0,
    tags: splitTags(values.tags),
    quota: values.unlimited ? QUOTA_UNLIMITED : toNumber(values.quota),
    allowedLanguage: codesToMask(values.languages),
    description: {
      description: values.description,
      input: values.input,
      output: values.output,
      hint: values.hint,
      sampleInput: samples.map(({ input }) => input),
      sampleOutput: samples.map(({ output }) => output),
    },
    testCase: values.subtasks.map((subtask) => {
      const { timeMs, memoryMb } = values.limits ?? subtask
      return {
        caseCount: toNumber(subtask.caseCount),
        taskScore: toNumber(subtask.taskScore),
        sample: subtask.sample,
        timeLimit: toNumber(timeMs),
        memoryLimit: mbToKb(toNumber(memoryMb)),
        outputLimit: subtask.outputKb,
      }
    }),
    compare: toCompare(values.compare),
  }
}
