/** Compare modes: how a problem decides whether an output is right. */
import * as z from 'zod'
import { decimal, listOf } from '#contract/fields'
import { COUNT_LIMITS, JUDGE_PROGRAM_LIMIT_BYTES } from '#contract/limits'

/** Default tolerance of the mode `float`. */
export const DEFAULT_TOLERANCE = 1e-6

/** Languages of checkers and interactors. */
export const JUDGE_PROGRAM_LANGUAGES = ['cpp', 'py3'] as const

/** Bytes of a well-formed text in UTF-8. */
function utf8Bytes(text: string): number {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}

/** A text of at most 256 KiB of UTF-8. UTF-8 cannot encode a lone surrogate. */
const programText = z
  .string()
  .refine((text) => text.isWellFormed(), { params: { code: 'invalid' } })
  .refine(
    (text) =>
      text.length <= JUDGE_PROGRAM_LIMIT_BYTES && utf8Bytes(text) <= JUDGE_PROGRAM_LIMIT_BYTES,
    { params: { code: 'max_length', max: JUDGE_PROGRAM_LIMIT_BYTES } },
  )

/** The name of a header file, without folders. */
const HEADER_NAME = /^\w[\w.+-]{0,59}\.(?:h|hh|hpp)$/

/** A file that a C++ program includes as `#include "name"`. */
const header = z.object({
  name: z.string().regex(HEADER_NAME),
  text: programText,
})

/** The header files of a program. */
const headers = listOf(header, COUNT_LIMITS.headersPerProgram)

/** Refuses header files that have equal names, belong to a program that is not C++, or are too large together with it. */
function checkHeaders(
  program: { language: string; source: string; headers?: z.infer<typeof headers> },
  context: z.RefinementCtx,
): void {
  const { language, source, headers: files = [] } = program
  const refuse = (path: (string | number)[], params: Record<string, unknown>) =>
    context.addIssue({ code: 'custom', path: ['headers', ...path], params })
  if (files.length > 0 && language !== 'cpp') refuse([], { code: 'invalid' })
  for (const [index, { name }] of files.entries())
    if (files.findIndex((other) => other.name === name) < index)
      refuse([index, 'name'], { code: 'duplicate' })
  const bytes = [source, ...files.map(({ text }) => text)].map(utf8Bytes)
  if (files.length > 0 && bytes.reduce((sum, size) => sum + size) > JUDGE_PROGRAM_LIMIT_BYTES)
    refuse([], { code: 'max_length', max: JUDGE_PROGRAM_LIMIT_BYTES })
}

/** Modes in which a teacher's program decides. A `checker` reads the output; an `interactor` talks with the submission. */
export const JUDGE_PROGRAM_MODES = ['checker', 'interactor'] as const

/** Checkers and interactors have testlib's calling convention and exit codes. */
const judgePrograms = JUDGE_PROGRAM_MODES.map((mode) =>
  z.object({
    mode: z.literal(mode),
    language: z.enum(JUDGE_PROGRAM_LANGUAGES),
    source: programText.refine((text) => text.trim() !== '', { params: { code: 'required' } }),
    headers: headers.optional(),
  }),
)

/** The letters A to Z count as a to z. Other letters stay different, because outputs are bytes. */
const ignoreCase = z.boolean().optional()

/** Ignores white space at line ends and blank lines at the end. */
const lines = z.object({ mode: z.literal('lines'), ignoreCase })

/** Compares words; white space only separates them. */
const tokens = z.object({ mode: z.literal('tokens'), ignoreCase })

/** Compares byte for byte. */
const exact = z.object({ mode: z.literal('exact') })

/** As `tokens`, but decimal numbers may differ by either tolerance; see `tolerancesOf`. */
const float = z.object({
  mode: z.literal('float'),
  absolute: decimal.min(0).optional(),
  relative: decimal.min(0).optional(),
})

/** How outputs are compared. */
export const compareMode = z.discriminatedUnion('mode', [
  lines,
  tokens,
  exact,
  float,
  ...judgePrograms.map((program) => program.superRefine(checkHeaders)),
])
export type CompareMode = z.infer<typeof compareMode>

/** Every mode, in the order of the form. */
export const COMPARE_MODES = [
  'lines',
  'tokens',
  'float',
  'exact',
  ...JUDGE_PROGRAM_MODES,
] as const satisfies CompareMode['mode'][]

/** The modes in which letter case is an option. */
export type LetterMode = Extract<CompareMode, { ignoreCase?: unknown }>['mode']

/** Whether letter case is an option of a mode. */
export function isLetterMode(mode: CompareMode['mode']): mode is LetterMode {
  return mode === 'lines' || mode === 'tokens'
}

/** Whether a problem's comparison ignores letter case. */
export function ignoresCase(compare: ShownCompareMode): boolean {
  return 'ignoreCase' in compare && compare.ignoreCase === true
}

/** A mode with a checker or interactor. */
export type JudgeProgram = Extract<CompareMode, { source: string }>

/** Whether a mode has a checker or interactor. */
export function isJudgeProgramMode(mode: CompareMode['mode']): mode is JudgeProgram['mode'] {
  return JUDGE_PROGRAM_MODES.some((one) => one === mode)
}

/** What course members see of a mode: never the program, which may hold the answers. */
export const shownCompareMode = z.discriminatedUnion('mode', [
  lines,
  tokens,
  exact,
  float,
  ...judgePrograms.map((program) => program.pick({ mode: true })),
])
export type ShownCompareMode = z.infer<typeof shownCompareMode>

/** The part of a mode that course members may see. */
export function toShownCompare(compare: CompareMode): ShownCompareMode {
  return 'source' in compare ? { mode: compare.mode } : compare
}

/**
 * The tolerances that apply: |output − expected| ≤ absolute, or ≤ relative · |expected|. If a problem names one tolerance, the
 * other is 0; if it names none, both are the default.
 */
export function tolerancesOf(float: { absolute?: number; relative?: number }): {
  absolute: number
  relative: number
} {
  const none = float.absolute === undefined && float.relative === undefined
  const missing = none ? DEFAULT_TOLERANCE : 0
  return { absolute: float.absolute ?? missing, relative: float.relative ?? missing }
}
