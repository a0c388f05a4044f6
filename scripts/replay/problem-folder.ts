/** Reads a folder with one problem: `problem.json`, `tests/ssTT.in|.out` and the programs that `problem.json` names. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import * as z from 'zod'
import {
  compareMode,
  JUDGE_PROGRAM_LANGUAGES,
  JUDGE_PROGRAM_MODES,
  type CompareMode,
} from '#contract/problems/compare'
import { languageId } from '#contract/languages/codes'
import type { LanguageId } from '#contract/languages/codes'
import { STATUS } from '#contract/verdicts'
import { PlainError, messageOf } from '../plain-error.ts'
import type { TestCase } from '../demo/test-data-zip.ts'

/** Verdicts by the short names that stand for them in such folders. */
const VERDICTS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    AC: STATUS.AC,
    WA: STATUS.WA,
    CE: STATUS.CE,
    TLE: STATUS.TLE,
    MLE: STATUS.MLE,
    RE: STATUS.RE,
    RTE: STATUS.RE,
    JE: STATUS.JE,
    OLE: STATUS.OLE,
  }),
)

const verdictName = z
  .string()
  .refine((name) => VERDICTS.has(name), {
    error: `must be one of ${[...VERDICTS.keys()].join(', ')}`,
  })
  .transform((name) => VERDICTS.get(name) ?? STATUS.JE)

/** One verdict, several allowed verdicts, or null for a subtask that may have any. */
const subtaskVerdict = z
  .union([verdictName.transform((name) => [name]), z.array(verdictName).min(1), z.null()])
  .transform((allowed) => allowed ?? null)

const limits = z.object({
  timeMs: z.int().positive(),
  memoryMb: z.int().positive(),
  outputKb: z.int().positive().optional(),
})

/** The compare mode as in the contract, but a checker or interactor names its file in the folder. */
const compare = z.union([
  z.object({
    mode: z.enum(JUDGE_PROGRAM_MODES),
    language: z.enum(JUDGE_PROGRAM_LANGUAGES),
    file: z.string().min(1),
    headers: z.array(z.string().min(1)).optional(),
  }),
  compareMode,
])

const problemFile = z.object({
  name: z.string().min(1),
  title: z.string().min(1).optional(),
  limits,
  subtasks: z
    .array(
      z.object({
        cases: z.int().positive(),
        score: z.int().min(0).max(100),
        limits: limits.partial().optional(),
      }),
    )
    .min(1),
  compare: compare.default({ mode: 'lines' }),
  solutions: z.array(
    z.object({
      file: z.string().min(1),
      language: languageId,
      allowed: z.array(verdictName).min(1),
      score: z.int().min(0).max(100).optional(),
      subtasks: z.array(subtaskVerdict).optional(),
    }),
  ),
})

/** A program and its expected result; verdicts are status codes. */
export interface Solution {
  file: string
  language: LanguageId
  code: Buffer
  allowed: number[]
  score: number | undefined
  /** The allowed verdicts of each subtask; null allows any. */
  subtasks: (number[] | null)[] | undefined
}

/** A problem as its folder describes it. */
export interface ProblemFolder {
  name: string
  title: string
  subtasks: { score: number; timeMs: number; memoryKb: number; outputKb: number | undefined }[]
  cases: TestCase[][]
  compare: CompareMode
  solutions: Solution[]
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new PlainError(`${file} cannot be read: ${messageOf(error)}`)
  }
}

async function readProgram(folder: string, file: string): Promise<Buffer> {
  try {
    return await readFile(join(folder, file))
  } catch {
    throw new PlainError(`${join(folder, 'problem.json')} names ${file}, which cannot be read.`)
  }
}

async function readCompare(folder: string, given: z.infer<typeof compare>): Promise<CompareMode> {
  if (!('file' in given)) return given
  const { mode, language, file, headers } = given
  const source = (await readProgram(folder, file)).toString()
  if (headers === undefined) return { mode, language, source }
  const read = headers.map(async (header) => ({
    name: basename(header),
    text: (await readProgram(folder, header)).toString(),
  }))
  return { mode, language, source, headers: await Promise.all(read) }
}

/** Reads and checks the problem file; the message of an error names the field. */
async function readProblemFile(folder: string): Promise<z.infer<typeof problemFile>> {
  const info = await stat(folder).catch(() => null)
  if (info === null) throw new PlainError(`There is no folder ${folder}.`)
  if (!info.isDirectory()) throw new PlainError(`${folder} is a file; a problem is a folder.`)
  const file = join(folder, 'problem.json')
  if (!(await stat(file).catch(() => null)))
    throw new PlainError(`${folder} holds no problem.json, so it is not a problem folder.`)
  const text = await readText(file)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new PlainError(`${file} is not JSON: ${messageOf(error)}`)
  }
  const parsed = problemFile.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new PlainError(`${file}: ${issue?.path.join('.') || '(top)'}: ${issue?.message}`)
}

/** Reads the cases of each subtask from `tests/`; there must be as many as the problem file says. */
async function readCases(folder: string, caseCounts: number[]): Promise<TestCase[][]> {
  const tests = join(folder, 'tests')
  const names = await readdir(tests).catch(() => {
    throw new PlainError(`${folder} lacks the folder tests.`)
  })
  const expected = caseCounts.flatMap((count, subtask) =>
    Array.from({ length: count }, (_, index) => [subtask, index] as const),
  )
  const known = new Set(expected.map(([subtask, index]) => stem(subtask, index)))
  const stray = names.find(
    (name) => !/\.(?:in|out)$/.test(name) || !known.has(name.split('.')[0] ?? ''),
  )
  if (stray !== undefined)
    throw new PlainError(`${join(tests, stray)} belongs to no case of problem.json.`)
  const cases: TestCase[][] = caseCounts.map(() => [])
  for (const [subtask, index] of expected) {
    const path = join(tests, stem(subtask, index))
    const [input, output] = await Promise.all(
      [`${path}.in`, `${path}.out`].map((file) =>
        readFile(file).catch(() => {
          throw new PlainError(`${file} is missing.`)
        }),
      ),
    )
    if (input && output) cases[subtask]?.push({ input, output })
  }
  return cases
}

/** `0203` for case 3 of subtask 2. */
function stem(subtask: number, index: number): string {
  return `${String(subtask).padStart(2, '0')}${String(index).padStart(2, '0')}`
}

/** @throws PlainError in one line that names the file or the field */
export async function readProblemFolder(path: string): Promise<ProblemFolder> {
  const folder = resolve(path)
  const problem = await readProblemFile(folder)
  const total = problem.subtasks.reduce((sum, subtask) => sum + subtask.score, 0)
  if (total !== 100)
    throw new PlainError(
      `${join(folder, 'problem.json')}: the subtasks' scores total ${total}, not 100.`,
    )
  const cases = await readCases(
    folder,
    problem.subtasks.map((subtask) => subtask.cases),
  )
  const solutions: Solution[] = []
  for (const { file, language, allowed, score, subtasks } of problem.solutions)
    solutions.push({
      file: basename(file),
      language,
      code: await readProgram(folder, file),
      allowed,
      score,
      subtasks,
    })
  return {
    name: problem.name,
    title: problem.title ?? problem.name,
    subtasks: problem.subtasks.map((subtask) => {
      const own = { ...problem.limits, ...subtask.limits }
      return {
        score: subtask.score,
        timeMs: own.timeMs,
        memoryKb: own.memoryMb * 1_024,
        outputKb: own.outputKb,
      }
    }),
    cases,
    compare: await readCompare(folder, problem.compare),
    solutions,
  }
}
