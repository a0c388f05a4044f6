/**
 * The programs that the demo's students submit, one file each:
 * `programs/<problem>/<verdict>-<subtasks that fail>-<word>.<ending>`; `-of-<username>` is one person's own.
 */
import { LANGUAGES } from '#contract/languages'
import type { LanguageCode } from '#contract/languages/codes'
import { STATUS, type Verdict } from '#contract/verdicts'

/** A program with its expected verdict. */
export interface TermProgram {
  languageType: LanguageCode
  code: string
  /** The student who submits it; null: anybody. */
  username: string | null
  status: Verdict
  /** The subtasks that fail. */
  failed: readonly number[]
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

/** The folder of a problem's programs, e.g. `two-squares`. */
export function folderOf(problemName: string): string {
  return problemName.toLowerCase().replaceAll(/[^a-z]+/g, '-')
}

/**
 * Reads programs and their expected verdicts by the names of their files.
 * @param files contents by path below `programs`; `<file>.txt` is the compiler's message about `<file>`
 */
export function readPrograms(files: ReadonlyMap<string, string>): Programs {
  const programs = new Map<string, TermProgram[]>()
  for (const [path, code] of files) {
    const name = /^([^/]+)\/([a-z]+)(?:-(\d+))?(?:-of-(\w+)|-[a-z]+)?\.(\w+)$/.exec(path)
    if (!name) continue
    const [, folder = '', verdict = '', subtasks = '', username = null, ending = ''] = name
    const language = LANGUAGES.find(({ fileEndings }) => fileEndings.includes(ending))
    const status = VERDICTS[verdict]
    if (!language || status === undefined)
      throw new Error(`${path} names no verdict or no language`)
    const program: TermProgram = {
      languageType: language.code,
      code,
      username,
      status,
      failed: [...subtasks].map(Number),
      compileMessage: files.get(`${path}.txt`) ?? null,
    }
    programs.set(folder, [...(programs.get(folder) ?? []), program])
  }
  return programs
}
