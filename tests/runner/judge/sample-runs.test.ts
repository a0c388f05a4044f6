/** Sample runs on the real sandbox: every input runs, however the earlier ones ended. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Job } from '#contract/judging'
import { resultFault } from '#contract/judging/result-check'
import { STATUS } from '#contract/verdicts'
import type { CompileRequest, CompileResult, RunRequest } from '../../../runner/sandbox/box.ts'
import { judged, subtask, useJudge, watchedSlot } from '../fixtures/judging.ts'
import type { SeenRun } from '../fixtures/sandbox.ts'

useJudge()

const sample = subtask({ taskScore: 0, sample: true })

/** The job of a sample run on these inputs. */
function runOf(inputs: [input: string, expected: string | null][], change: Partial<Job> = {}) {
  const tasks = inputs.map(() => sample)
  const testData = { inputs: inputs.map(([input, expected]) => ({ input, expected })) }
  return { tasks, job: { testData, ...change } }
}

const text = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64').toString()

it('compares samples, and takes own inputs as right when the program ends well', async () => {
  const { tasks, job } = runOf([
    ['1 2', '3'],
    ['2 2', '5'],
    ['4 4', null],
  ])
  const judgement = await judged('py3', 'print(sum(map(int, input().split())))', { tasks, job })
  expect(judgement.tasks.map(({ status }) => status)).toEqual([STATUS.AC, STATUS.WA, STATUS.AC])
  expect(judgement.outputs.map(({ stdout }) => text(stdout))).toEqual(['3\n', '4\n', '8\n'])
  expect(text(judgement.outputs[1]?.expected)).toBe('5')
  expect(judgement.mistake).toBeNull()
  expect(await judged('py3', 'print(', { tasks, job })).toMatchObject({
    status: STATUS.CE,
    mistake: null,
  })
  expect(resultFault(tasks, judgement)).toBeNull()
})

it('runs no near miss again, and leaves none of its inputs behind', async () => {
  const scratchDir = await mkdtemp(join(tmpdir(), 'sample-run-'))
  const runs: SeenRun[] = []
  const { job } = runOf([['', '3']])
  const tasks = [{ ...sample, timeLimit: 200 }]
  const nearly = `#include <time.h>
int main(void) { while (clock() < 210 * (CLOCKS_PER_SEC / 1000)); }`
  const tools = { scratchDir, slot: watchedSlot(runs) }
  const onHandBack = () => void (runs.length = 0)
  const { status } = await judged('c', nearly, { tasks, job, tools, onHandBack })
  expect(status).toBe(STATUS.TLE)
  expect(runs).toHaveLength(1)
  await expect.poll(() => readdir(scratchDir)).toEqual(['output'])
  await rm(scratchDir, { recursive: true })
})

it('goes on after a crash, and shows what the program complained', async () => {
  const { tasks, job } = runOf([
    ['0', null],
    ['5', null],
  ])
  const judgement = await judged('py3', 'print(10 // int(input()))', { tasks, job })
  expect(judgement.tasks.map(({ status }) => status)).toEqual([STATUS.RE, STATUS.AC])
  expect(text(judgement.outputs[0]?.stderr)).toContain('ZeroDivisionError')
  expect(resultFault(tasks, judgement)).toBeNull()
})

it('asks the checker about samples, not about own inputs', async () => {
  const source = 'import sys\nsys.exit(0 if open("output").read().strip() == "yes" else 1)'
  const { tasks, job } = runOf(
    [
      ['yes', ''],
      ['no', ''],
      ['no', null],
    ],
    { compare: { mode: 'checker', language: 'py3', source } },
  )
  const { tasks: results } = await judged('py3', 'print(input())', { tasks, job })
  expect(results.map(({ status }) => status)).toEqual([STATUS.AC, STATUS.WA, STATUS.AC])
})

it('opens no checker when there are only own inputs', async () => {
  const compare = { mode: 'checker', language: 'cpp', source: 'no program' } as const
  const own = runOf([['1', null]], { compare })
  const { status } = await judged('py3', 'print(input())', own)
  expect(status).toBe(STATUS.AC)
  const mixed = runOf([['1', '1']], { compare })
  expect((await judged('py3', 'print(input())', mixed)).status).toBe(STATUS.JE)
})

it('stops a compiler whose result is no longer wanted', async () => {
  const slot = watchedSlot([])
  const abort = new AbortController()
  const reason = new Error('not wanted')
  const results: CompileResult[] = []
  const openBox = async () => {
    const box = await slot.openBox()
    const compile = async (request: CompileRequest) => {
      const result = box.compile(request)
      abort.abort(reason)
      results.push(await result)
      return result
    }
    return { ...box, compile }
  }
  const { tasks, job } = runOf([['1', null]])
  const tools = { slot: { ...slot, openBox }, signal: abort.signal }
  const endless = await readFile('tests/fixtures/hostile/compilers/constexpr.cpp', 'utf8')
  await expect(judged('cpp', endless, { tasks, job, tools })).rejects.toBe(reason)
  expect(results.map(({ stopped }) => stopped)).toEqual([true])
})

it('stops a program whose result is no longer wanted', async () => {
  const runs: SeenRun[] = []
  const slot = watchedSlot(runs)
  const abort = new AbortController()
  const reason = new Error('not wanted')
  const openBox = async () => {
    const box = await slot.openBox()
    const run = (request: RunRequest) => {
      const result = box.run(request)
      abort.abort(reason)
      return result
    }
    return { ...box, run }
  }
  const { tasks, job } = runOf([['1', null]])
  const tools = { slot: { ...slot, openBox }, signal: abort.signal }
  await expect(judged('py3', 'while True: pass', { tasks, job, tools })).rejects.toBe(reason)
  expect(runs.map(({ result }) => result.stopped)).toEqual([true])
})
