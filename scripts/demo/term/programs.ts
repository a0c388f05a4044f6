/**
 * The programs that the demo's students submit, one file each:
 * `programs/<problem>/<verdict>-<subtasks that fail>-<word>.<ending>`; `-of-<username>` is one person's own. The word names the mistake:
 * programs of a problem with the same word fail alike. A number after the word tells programs in the same language apart. A subtask fails at
 * its first case; `2.1` is subtask 2 that fails at its second.
 */
import { LANGUAGES } from '#contract/languages'
import type { LanguageCode } from '#contract/languages/codes'
import { STATUS, type Verdict } from '#contract/verdicts'

/** A mistake as a judge host tells it, and what one of its programs wrote in the first failing case; null: no case ran, or it wrote much. */
export interface PlantedMistake {
  mistake: string
  stdout: string | null
  stderr: string | null
}

/** The mistakes of a problem by their words, by the name of the problem's folder; `programs/mistakes.json` has them. */
export type PlantedMistakes = Readonly<Record<string, Readonly<Record<string, PlantedMistake>>>>

/** A program with its expected verdict. */
export interface TermProgram {
  languageType: LanguageCode
  code: string
  /** The student who submits it; null: anybody. */
  username: string | null
  status: Verdict
  /** The word of its mistake, e.g. `overflow`; null: it has none. */
  word: string | null
  /** Null without a word, and for a word that `mistakes.json` does not have. */
  planted: PlantedMistake | null
  /** The first case that fails of each subtask that fails; all numbers from 0. */
  failed: ReadonlyMap<number, number>
  compileMessage: string | null
}

/** The programs of a problem by the name of its folder. */
export type Programs = ReadonlyMap<string, readonly TermProgram[]>

const VERDICTS: Record<string, Verdict> = {
  ac: STATUS.AC,
  wa: STATUS.WA,
  ce: STATUS.CE,
  tle: STATUS.TLE,
  mle: STATUS.MLE,
  re: STATUS.RE,
  ole: STATUS.OLE,
}

/** The file with the mistakes; the test of real judging writes it (`demo-term.long.test.ts`). */
const MISTAKES = 'mistakes.json'

const FILE_NAME =
  /^(?<folder>[^/]+)\/(?<verdict>[a-z]+)(?:-(?<failed>(?:\d(?:\.\d)?)+))?(?:-of-(?<username>\w+)|-(?<word>[a-z]+)\d?)?\.(?<ending>\w+)$/

/** The folder of a problem's programs, e.g. `two-squares`. */
export function folderOf(problemName: string): string {
  return problemName.toLowerCase().replaceAll(/[^a-z]+/g, '-')
}

/**
 * Reads programs and their expected verdicts by the names of their files.
 * @param files contents by path below `programs`; `<file>.txt` is the compiler's message about `<file>`
 */
export function readPrograms(files: ReadonlyMap<string, string>): Programs {
  const parsed: PlantedMistakes = JSON.parse(files.get(MISTAKES) ?? '{}')
  const mistakes = new Map(
    Object.entries(parsed).map(([folder, byWord]) => [folder, new Map(Object.entries(byWord))]),
  )
  const programs = new Map<string, TermProgram[]>()
  for (const [path, code] of files) {
    const name = FILE_NAME.exec(path)?.groups
    if (!name) continue
    const {
      folder = '',
      verdict = '',
      failed = '',
      word = null,
      username = null,
      ending = '',
    } = name
    const language = LANGUAGES.find(({ fileEndings }) => fileEndings.includes(ending))
    const status = VERDICTS[verdict]
    if (!language || status === undefined)
      throw new Error(`${path} names no verdict or no language`)
    const program: TermProgram = {
      languageType: language.code,
      code,
      username,
      status,
      word,
      planted: (word !== null && mistakes.get(folder)?.get(word)) || null,
      failed: new Map(
        [...failed.matchAll(/(\d)(?:\.(\d))?/g)].map(([, subtask, first = 0]) => [
          Number(subtask),
          Number(first),
        ]),
      ),
      compileMessage: files.get(`${path}.txt`) ?? null,
    }
    programs.set(folder, [...(programs.get(folder) ?? []), program])
  }
  return programs
}
