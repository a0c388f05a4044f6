/**
 * What a language file must come with: a program for every way to end, in fixtures/languages/<id>/, each
 * compiled and run by the language's own commands in the real sandbox.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '#contract/languages'
import { STATUS, type Verdict } from '#contract/verdicts'
import { CaseGate } from '../../runner/case-gate.ts'
import { judge, type JudgeTools } from '../../runner/judge.ts'
import { openSlot, type Slot } from '../../runner/sandbox/index.ts'
import { TestDataCache } from '../../runner/test-data.ts'
import { warmUp } from '../../runner/warm-up.ts'
import { JudgeServer } from './judge-server.ts'
import { testDataZip } from './zip-builder.ts'

const FIXTURES = join(import.meta.dirname, 'fixtures/languages')

/** Fixture, without its ending → verdict on the sum of two numbers. */
const ENDINGS: Readonly<Record<string, Verdict>> = {
  accepted: STATUS.AC,
  'wrong-answer': STATUS.WA,
  'compile-error': STATUS.CE,
  'too-slow': STATUS.TLE,
  sleeping: STATUS.TLE,
  'too-much-memory': STATUS.MLE,
  signal: STATUS.RE,
  'exit-code': STATUS.RE,
  'too-much-output': STATUS.OLE,
}

let root = ''
let slot: Slot
let tools: JudgeTools
const zip = testDataZip([[['1 2\n', '3\n']]])

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'languages-test-'))
  slot = await openSlot({ index: 0 })
  const data = await TestDataCache.open(join(root, 'data'), 1024 ** 3, async (_ref, path) => {
    await writeFile(path, zip)
    return ''
  })
  tools = {
    slot,
    acquireTestData: (ref) => data.acquire(ref),
    gate: new CaseGate(),
    scratchDir: root,
    onProgress: () => {},
    signal: new AbortController().signal,
  }
})
afterAll(async () => {
  await slot.close()
  await rm(root, { recursive: true })
})

it('every folder of fixtures belongs to a language', async () => {
  expect((await readdir(FIXTURES)).toSorted()).toEqual(LANGUAGES.map(({ id }) => id).toSorted())
})

it('every language compiles and runs its first program, and says its version', async () => {
  const { versions, problems } = await warmUp({ index: 0, slot, scratchDir: root })
  expect(problems).toEqual([])
  for (const { id } of LANGUAGES) expect(versions[id], id).toMatch(/\d+\.\d+/)
})

describe.each(LANGUAGES)('$label', ({ id, fileEndings }) => {
  it('comes with a program for every ending and no other', async () => {
    const names = Object.keys(ENDINGS).map((name) => `${name}.${fileEndings[0]}`)
    expect((await readdir(join(FIXTURES, id))).toSorted()).toEqual(names.toSorted())
  })

  it.each(Object.entries(ENDINGS))('judges %s as %i', async (name, status) => {
    const source = await readFile(join(FIXTURES, id, `${name}.${fileEndings[0]}`))
    const job = new JudgeServer().job(
      1,
      {
        language: id,
        source: source.toString('base64'),
        tasks: [
          {
            caseCount: 1,
            taskScore: 100,
            timeLimit: 300,
            memoryLimit: 64 * 1024,
            outputLimit: 256,
          },
        ],
      },
      zip,
    )
    const result = await judge(job, tools)
    expect(result).toMatchObject({ status, score: status === STATUS.AC ? 100 : 0, reason: null })
  })
})
