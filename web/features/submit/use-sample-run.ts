/** The sample run of the submit page: started by a key, polled until it has ended. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Language } from '#contract/languages'
import { RUNS } from '#contract/limits'
import type { Problem } from '#contract/problems'
import type { RunCase, SampleRun } from '#contract/judging/sample-runs'
import { STATUS } from '#contract/verdicts'
import { useLive } from '../../lib/live/live.ts'
import { pollingIntervalMs } from '../../lib/api/polling.ts'
import { refresh } from '../../lib/api/query-client.ts'

export interface Program {
  language: Language
  text: string
}

/** An input of a run. `number`: the number of the sample or of the box, from 1. */
export interface AskedInput {
  isSample: boolean
  number: number
  text: string
}

/** What a run was started with. */
interface Asked {
  runId: string
  program: Program
  /** The samples, then own inputs, in the order of the cases. */
  inputs: AskedInput[]
}

const isSame = (left: Program, right: Program) =>
  left.language.code === right.language.code && left.text === right.text

/** Whether a run is still under way. */
function isUnderWay(run: SampleRun | undefined): boolean {
  return run?.state === 'queued' || run?.state === 'running'
}

/** The calls of runs, loaded with the first one. */
const calls = () => import('../../lib/queries/sample-runs.ts')

const numbered = (texts: string[], isSample: boolean): AskedInput[] =>
  texts.map((text, index) => ({ isSample, number: index + 1, text }))

/** The samples of a problem that are run. */
export function samplesRun({ description }: Pick<Problem, 'description'>): string[] {
  return description.sampleInput.slice(0, RUNS.inputs)
}

/** How many samples of a run are wrong: all of them after a Compile Error. */
export function failedSamples(run: SampleRun | undefined, sampleCount: number): number {
  if (run?.status === STATUS.CE) return sampleCount
  return run?.cases.filter(({ matches }: RunCase) => matches === false).length ?? 0
}

/** Polls a run until it has ended. */
function useLiveRun(runId: string | undefined) {
  const waitingSince = useRef<number>(null)
  // The page listens before the first run, so that the socket is already open when the run starts.
  const live = useLive(true, (hint) => {
    if (hint === null || (hint.kind === 'run' && hint.runId === runId)) void refresh(['run', runId])
  })
  return useQuery({
    queryKey: ['run', runId],
    queryFn: async ({ signal }) => (await calls()).getRun(runId ?? '', signal),
    enabled: runId !== undefined,
    staleTime: 0,
    refetchIntervalInBackground: true,
    refetchInterval: ({ state: { data, dataUpdateCount, status } }) => {
      if (status === 'error' || (data && !isUnderWay(data))) {
        waitingSince.current = null
        return false
      }
      waitingSince.current ??= Date.now()
      // The hint may have come before the first answer, so the run is read again soon.
      const isSure = live && dataUpdateCount > 1
      return pollingIntervalMs(Date.now() - waitingSince.current, document.hidden, isSure)
    },
  })
}

/** The last run of this page. An empty own input runs only if there is nothing else to run. */
export function useSampleRun(problem: Problem) {
  const { problemId } = problem
  const samples = samplesRun(problem)
  const [asked, setAsked] = useState<Asked | null>(null)
  const start = useMutation({
    mutationFn: async ({ program, own }: { program: Program; own: string[] }) => {
      const boxes = numbered(own, false)
      const written = boxes.filter(({ text }) => text !== '')
      const asked = written.length + samples.length === 0 ? boxes.slice(0, 1) : written
      const { startRun } = await calls()
      const { runId } = await startRun(problemId, {
        languageType: program.language.code,
        code: program.text,
        inputs: asked.map(({ text }) => text),
        samples: samples.length > 0,
      })
      setAsked({ runId, program, inputs: [...numbered(samples, true), ...asked] })
      // A program that is started again while its run waits gets the same run. The run is read again, because reading
      // it may have failed.
      void refresh(['run', runId])
    },
  })
  const live = useLiveRun(asked?.runId)
  const run = live.data
  const failed = failedSamples(run, samples.length)
  return {
    run,
    program: asked?.program ?? null,
    inputs: asked?.inputs ?? [],
    sampleCount: samples.length,
    failed,
    error: start.error ?? live.error,
    isStarting: start.isPending,
    isRunning: start.isPending || (asked !== null && !live.isError && (!run || isUnderWay(run))),
    start: (program: Program, own: string[]) => {
      if (!start.isPending) start.mutate({ program, own })
    },
    /** Whether this very program has failed samples. */
    warnsOf: (program: Program) => failed > 0 && asked !== null && isSame(asked.program, program),
  }
}
export type SampleRunState = ReturnType<typeof useSampleRun>
