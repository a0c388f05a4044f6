/**
 * `npm run replay -- FOLDER… [--url …] [--user … --password …] [--course …] [--timeout SECONDS]`
 * Puts problems with known programs on a running judge. Compares every verdict, score and subtask
 * with the folder's problem.json; the exit code is 1 on any difference.
 */
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { courseItem } from '#contract/courses'
import { ApiError, createApiClient } from './api-client.ts'
import type { ApiClient } from './api-client.ts'
import { PlainError, runCommand } from './plain-error.ts'
import { differences, row } from './replay/compare-result.ts'
import { readProblemFolder } from './replay/problem-folder.ts'
import type { ProblemFolder } from './replay/problem-folder.ts'
import { createProblem, submit, untilJudged } from './replay/send.ts'

const USAGE =
  'Usage: npm run replay -- FOLDER… [--url http://127.0.0.1:8787] [--user admin] [--password …] [--course Replay] [--timeout 600]'

interface Options {
  folders: string[]
  url: string
  user: string
  password: string
  course: string
  timeoutMs: number
}

function readOptions(): Options {
  const { values, positionals } = (() => {
    try {
      return parseArgs({
        allowPositionals: true,
        options: {
          url: { type: 'string', default: 'http://127.0.0.1:8787' },
          user: { type: 'string', default: 'admin' },
          password: { type: 'string', default: 'demo-password' },
          course: { type: 'string', default: 'Replay' },
          timeout: { type: 'string', default: '600' },
        },
      })
    } catch (error) {
      throw new PlainError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
    }
  })()
  if (positionals.length === 0) throw new PlainError(USAGE)
  if (!URL.canParse(values.url)) throw new PlainError(`--url ${values.url} is not an address.`)
  const timeoutMs = Number(values.timeout) * 1_000
  if (!(timeoutMs > 0))
    throw new PlainError(`--timeout ${values.timeout} is not a number of seconds.`)
  return { ...values, folders: positionals, timeoutMs }
}

async function signIn({ url, user, password }: Options): Promise<ApiClient> {
  const api = createApiClient(url)
  try {
    await api.login(user, password)
  } catch (error) {
    if (error instanceof ApiError) throw new PlainError(`${user} cannot sign in: ${error.message}`)
    throw error
  }
  return api
}

/** Makes the course for the problems, unless it exists. */
async function ensureCourse(api: ApiClient, course: string, teacher: string): Promise<void> {
  const courses = await api.call('GET', '/course', z.array(courseItem))
  if (courses.some((item) => item.course === course)) return
  await api.call('POST', '/course', z.unknown(), { json: { course, teacher } })
}

type Solution = ProblemFolder['solutions'][number]

/** Submits all programs. The entry of a refused program has the refusal instead of a submission's id. */
async function submitAll(api: ApiClient, problemId: number, solutions: Solution[]) {
  const sent: { solution: Solution; submissionId?: string; refusal?: string }[] = []
  for (const solution of solutions)
    try {
      sent.push({ solution, submissionId: await submit(api, problemId, solution) })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      sent.push({ solution, refusal: error.message })
    }
  return sent
}

/** Runs one folder; returns how many programs differed from what was expected. */
async function replay(api: ApiClient, folder: ProblemFolder, options: Options): Promise<number> {
  const problemId = await createProblem(api, folder, options.course)
  console.log(`\n${folder.name} (problem ${problemId})`)
  const sent = await submitAll(api, problemId, folder.solutions)
  const deadline = Date.now() + options.timeoutMs
  let wrong = 0
  for (const { solution, submissionId, refusal } of sent) {
    const result = submissionId ? await untilJudged(api, submissionId, deadline) : null
    const found = result ? differences(solution, result) : [refusal ?? 'no verdict in time']
    if (found.length > 0) wrong += 1
    console.log(row(solution, result, found))
  }
  return wrong
}

async function main(): Promise<number> {
  const options = readOptions()
  const folders: ProblemFolder[] = []
  // All folders are read before anything is sent, so a wrong field does not end a replay halfway.
  for (const path of options.folders)
    if (statSync(path, { throwIfNoEntry: false })?.isFile())
      // In a shell, `corpus/*` also stands for the README beside the folders.
      console.log(`${path} is a file, not a problem folder: left out.`)
    else folders.push(await readProblemFolder(path))
  if (folders.length === 0) throw new PlainError('No problem folder among the arguments.')
  const api = await signIn(options)
  await ensureCourse(api, options.course, options.user)
  let wrong = 0
  let programs = 0
  for (const folder of folders) {
    wrong += await replay(api, folder, options)
    programs += folder.solutions.length
  }
  console.log(`\n${programs - wrong} of ${programs} programs got the expected verdict.`)
  return wrong === 0 ? 0 : 1
}

await runCommand(main)
