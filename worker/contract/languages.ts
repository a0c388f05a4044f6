/**
 * The table of programming languages, for Worker, web app and runners. A new language needs a data file in `languages/`, its code and
 * name in `languages/codes.ts`, a line in this table, and the changes that ARCHITECTURE.md lists.
 */
import * as z from 'zod'
import { c } from '#contract/languages/c'
import { languageId, type LanguageCode, type LanguageId } from '#contract/languages/codes'
import { cpp } from '#contract/languages/cpp'
import type { LanguageData } from '#contract/languages/language'
import { py3 } from '#contract/languages/py3'
import { SUBTASK_LIMITS } from '#contract/limits'

/** Ordered by wire code. */
const TABLE = [c, cpp, py3] as const

/** A grammar of the editor, for colours and indentation. */
export type EditorMode = (typeof TABLE)[number]['editor']

/** Families of languages that copy detection compares. */
export const COPY_FAMILIES = [...new Set(TABLE.map(({ copyFamily }) => copyFamily))]
export type CopyFamily = (typeof COPY_FAMILIES)[number]

/** A language of the table. */
export interface Language extends LanguageData {
  code: LanguageCode
  id: LanguageId
  editor: EditorMode
  copyFamily: CopyFamily
}

/** Every language, ordered by wire code. */
export const LANGUAGES: readonly Language[] = TABLE

/** The Debian packages that the tools of all languages come from. */
export const LANGUAGE_PACKAGES = [...new Set(LANGUAGES.flatMap(({ packages }) => packages))]

/** The language of a wire code. */
export function languageOf(code: LanguageCode): Language {
  return TABLE[code]
}

/** The language of a short name. */
export function languageOfId(id: LanguageId): Language {
  const found = LANGUAGES.find((language) => language.id === id)
  if (!found) throw new RangeError(`There is no language ${id}.`)
  return found
}

/** The language that a code block of Markdown names after its fence. */
export function languageOfFence(name: string): Language | undefined {
  const word = name.toLowerCase()
  return LANGUAGES.find(({ id, fileEndings, fenceNames = [] }) =>
    [id, ...fileEndings, ...fenceNames].includes(word),
  )
}

/** Whether a problem's mask allows a language. */
export function isLanguageAllowed(allowedLanguage: number, code: LanguageCode): boolean {
  return (allowedLanguage & languageOf(code).mask) !== 0
}

/**
 * The limits for a submission in this language: the problem's limits multiplied by the language's factors, at most
 * `SUBTASK_LIMITS`. Time in ms, memory in KB.
 */
export function withFactors<T extends { timeLimit: number; memoryLimit: number }>(
  subtask: T,
  { timeFactor, memoryFactor }: Pick<LanguageData, 'timeFactor' | 'memoryFactor'>,
): T {
  const { timeMs, memoryKb } = SUBTASK_LIMITS
  return {
    ...subtask,
    timeLimit: Math.min(timeMs.max, Math.ceil(subtask.timeLimit * timeFactor)),
    memoryLimit: Math.min(memoryKb.max, Math.ceil(subtask.memoryLimit * memoryFactor)),
  }
}

/** Whether a language has factors other than 1. */
export function hasFactors({ timeFactor, memoryFactor }: LanguageData): boolean {
  return timeFactor !== 1 || memoryFactor !== 1
}

/** A command in shell notation. */
function commandText(argv: readonly string[]): string {
  return argv
    .map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`))
    .join(' ')
}

/** The compile command, for people. */
export function compileText({ compileText: text, compileArgv }: LanguageData): string {
  return text ?? commandText(compileArgv)
}

/** The run command, for people. */
export function runText({ runArgv }: LanguageData): string {
  return commandText(runArgv)
}

/**
 * GET /languages. `compile` and `run`: commands inside the sandbox. `versions`: the versions that live runners report, each once;
 * empty while no runner is alive.
 */
const languageInfo = z.object({
  id: languageId,
  label: z.string(),
  mask: z.int(),
  compile: z.string(),
  run: z.string(),
  timeFactor: z.number(),
  memoryFactor: z.number(),
  versions: z.array(z.string()),
})
export type LanguageInfo = z.infer<typeof languageInfo>
export const languageList = z.array(languageInfo)
