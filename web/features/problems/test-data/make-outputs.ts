/** Makes the outputs of typed cases: a solution reads their inputs on a judge host, a group of them in each sample run. */
import type { Language } from '#contract/languages'
import { RUNS } from '#contract/limits'
import type { SampleRun } from '#contract/judging/sample-runs'
import { STATUS, type Verdict } from '#contract/verdicts'
import { ApiError } from '../../../lib/api/api-error.ts'
import { formatBytes } from '../../../lib/format/format.ts'
import { pollingIntervalMs } from '../../../lib/api/polling.ts'
import { queryClient } from '../../../lib/api/query-client.ts'
import { getRun, startRun } from '../../../lib/queries/sample-runs.ts'
import { pause, callWithRetries } from '../../../lib/api/patient-call.ts'
import type { TypedCase } from '../edit/subtask-values.ts'
import { fileText } from './typed-cases.ts'

/** A case: its subtask and its index in the subtask, both counted from 0. */
interface CaseAt {
  subtask: number
  index: number
  input: string
}

/**
 * Why outputs could not be made. `at`: the case without output; null: all cases. `what`: the verdict, a size or a
 * compile message.
 */
export class NoOutputError extends Error {
  readonly reason: 'compile' | 'verdict' | 'cut' | 'notKept' | 'lost' | 'gone'
  readonly at: CaseAt | null
  readonly what: string | Verdict

  constructor(reason: NoOutputError['reason'], at: CaseAt | null, what: string | Verdict) {
    super(`${reason} ${what}`)
    this.name = 'NoOutputError'
    this.reason = reason
    this.at = at
    this.what = what
  }
}

/** The cases in groups, each of which fits into one run. The API refuses an input that is too long for any run. */
export function inGroups(cases: CaseAt[]): CaseAt[][] {
  const groups: CaseAt[][] = []
  let length = 0
  for (const each of cases) {
    const last = groups.at(-1)
    const fits =
      last && last.length < RUNS.inputs && length + each.input.length <= RUNS.inputCharacters
    if (fits) last.push(each)
    else groups.push([each])
    length = each.input.length + (fits ? length : 0)
  }
  return groups
}

/** Waits until a run has ended. @throws NoOutputError when another run of the person has replaced this run */
async function ended(runId: string, group: CaseAt[], signal: AbortSignal): Promise<SampleRun> {
  const begin = Date.now()
  for (;;) {
    // This is a query, because queries are tried again after a short outage.
    const reading = queryClient.fetchQuery({
      queryKey: ['run', runId],
      queryFn: () => getRun(runId, signal),
      staleTime: 0,
      gcTime: 0,
    })
    const run = await reading.catch((error: unknown) => {
      const isGone = error instanceof ApiError && error.code === 'run_not_found'
      throw isGone ? new NoOutputError('gone', group[0] ?? null, '') : error
    })
    if (run.state === 'done' || run.state === 'failed') return run
    await pause(pollingIntervalMs(Date.now() - begin, document.hidden), signal)
  }
}

/** The complete outputs of a run, one for each case. @throws NoOutputError if an output is missing or was cut */
export function outputsOf(run: SampleRun, group: CaseAt[]): string[] {
  if (run.status === STATUS.CE) throw new NoOutputError('compile', null, run.compileMessage ?? '')
  return group.map((at, index) => {
    const { status = null, output = null } = run.cases[index] ?? {}
    if (status === null && run.status === STATUS.JE)
      throw new NoOutputError('verdict', at, STATUS.JE)
    if (status === null) throw new NoOutputError('lost', at, '')
    if (status !== STATUS.AC) throw new NoOutputError('verdict', at, status)
    if (output === null) throw new NoOutputError('notKept', at, '')
    // Bytes that are not valid UTF-8 became U+FFFD, which changes the length.
    const isWhole = new TextEncoder().encode(output.stdout).length === output.stdoutSize
    if (!isWhole) throw new NoOutputError('cut', at, formatBytes(output.stdoutSize))
    return output.stdout
  })
}

/** A solution to a problem. */
export interface Solution {
  language: Language
  code: string
}

/**
 * The cases by subtask, each with what the solution prints.
 * @param onProgress called with the number of cases done
 * @param signal aborts: no further run is started or waited for
 * @throws NoOutputError, ApiError; the signal's reason when aborted
 */
export async function makeOutputs(
  problemId: number,
  { language, code }: Solution,
  subtasks: TypedCase[][],
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<TypedCase[][]> {
  const cases = subtasks.flatMap((typed, subtask) =>
    // The inputs are as the zip will have them.
    typed.map((each, index) => ({ subtask, index, input: fileText(each, 'input') })),
  )
  const outputs: string[] = []
  for (const group of inGroups(cases)) {
    onProgress(outputs.length)
    const inputs = group.map(({ input }) => input)
    const body = { languageType: language.code, code, inputs, samples: false }
    const { runId } = await callWithRetries(() => startRun(problemId, body, signal), { signal })
    outputs.push(...outputsOf(await ended(runId, group, signal), group))
  }
  const left = outputs.values()
  return subtasks.map((typed) =>
    typed.map((each) => ({ ...each, output: left.next().value ?? '' })),
  )
}
