/** Real judging of the demo's planted mistakes: each program fails where its file says, and programs with the same word fail alike. */
import { beforeAll, expect, test } from 'vitest'
import { languageOf } from '#contract/languages'
import { problemForm } from '#contract/problems'
import { STATUS } from '#contract/verdicts'
import type { Judgement } from '../../../runner/judge/judge.ts'
import { termProblems } from '../../../scripts/demo/term/plan.ts'
import { termPrograms } from '../../../scripts/demo/term/program-files.ts'
import {
  folderOf,
  type PlantedMistake,
  type TermProgram,
} from '../../../scripts/demo/term/programs.ts'
import { firstFailed } from '../../../scripts/demo/term/results.ts'
import { judged, useJudge, type Cases } from '../fixtures/judging.ts'

/** All of them take a minute on an idle machine. */
const ALL_MS = 600_000
/** Longer outputs are not kept: the demo shows short ones. */
const MOST_BYTES = 2_000

interface Trial {
  folder: string
  program: TermProgram
  judgement: Judgement
}

const trials: Trial[] = []

useJudge()

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString()

beforeAll(async () => {
  for (const { form, cases } of termProblems()) {
    const { problemName, testCase: tasks, compare } = problemForm.parse(form)
    const folder = folderOf(problemName)
    const texts: Cases = cases.map((subtask) =>
      subtask.map(({ input, output }) => [textOf(input), textOf(output)]),
    )
    for (const program of termPrograms().get(folder) ?? []) {
      if (program.word === null) continue
      const { id } = languageOf(program.languageType)
      const judgement = await judged(id, program.code, { cases: texts, tasks, job: { compare } })
      trials.push({ folder, program, judgement })
    }
  }
}, ALL_MS)

const nameOf = ({ folder, program }: Trial) => `${folder}: ${program.word}`

test('each program fails at the cases that the name of its file says', () => {
  expect(trials.length).toBeGreaterThan(30)
  for (const trial of trials) {
    const { status, tasks } = trial.judgement
    const failed = tasks.flatMap(({ cases }, position) => {
      const first = cases.findIndex((result) => (result.status ?? STATUS.AC) !== STATUS.AC)
      return first < 0 ? [] : [[position, first]]
    })
    expect({ status, failed }, nameOf(trial)).toEqual({
      status: trial.program.status,
      failed: [...trial.program.failed],
    })
  }
})

test('a Compile Error has the message that the demo shows', () => {
  const refused = trials.filter(({ program }) => program.status === STATUS.CE)
  expect(refused.length).toBeGreaterThan(3)
  for (const trial of refused)
    expect(trial.judgement.compileMessage?.trim(), nameOf(trial)).toBe(
      trial.program.compileMessage?.trim(),
    )
})

/** What the demo says about a mistake; null if the judgement has none. */
function plantedOf({ program, judgement }: Trial): PlantedMistake | null {
  const { mistake, outputs } = judgement
  if (!mistake) return null
  const failed = firstFailed(program)
  const kept = outputs.find((output) => output.task === failed?.task && output.case === failed.case)
  const text = (stream: 'stdout' | 'stderr') =>
    kept && kept[`${stream}Size`] <= MOST_BYTES
      ? Buffer.from(kept[stream], 'base64').toString()
      : null
  // After a Wrong Answer an interactor ends the program, before or after it prints an error.
  const stderr = program.status === STATUS.WA ? '' : text('stderr')
  return { mistake, stdout: text('stdout'), stderr }
}

test('programs of a problem have the same mistake exactly if they have the same word, and the demo has these mistakes', async () => {
  const mistakes: Record<string, Record<string, PlantedMistake>> = {}
  for (const trial of trials) {
    const planted = plantedOf(trial)
    expect(planted, nameOf(trial)).not.toBe(null)
    if (!planted) continue
    const ofProblem = (mistakes[trial.folder] ??= {})
    const first = (ofProblem[trial.program.word ?? ''] ??= planted)
    expect(planted.mistake, nameOf(trial)).toBe(first.mistake)
  }
  for (const [folder, ofProblem] of Object.entries(mistakes)) {
    const all = Object.values(ofProblem).map(({ mistake }) => mistake)
    expect(new Set(all).size, folder).toBe(all.length)
  }
  await expect(`${JSON.stringify(mistakes, null, 2)}\n`).toMatchFileSnapshot(
    '../../../scripts/demo/programs/mistakes.json',
  )
})
