/** The packed runner: the same bytes each time, with everything that a host needs. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { STATUS } from '#contract/verdicts'
import { hostFiles } from '../../scripts/bundle/pack-runner.ts'
import { createProblem, submit, untilJudged } from '../../scripts/replay/send.ts'
import { PATIENCE_MS } from '../../scripts/test/patience.ts'
import { unpackRunner } from '../support/pack.ts'
import { createRunner } from '../support/runner.ts'
import { clientOf, startTestStack } from '../support/stack.ts'

test('the runner is packed into the same bytes each time', async () => {
  const [first, second] = [await hostFiles(), await hostFiles()]
  expect(first.map(({ name }) => name)).toEqual(second.map(({ name }) => name))
  for (const [at, { content }] of first.entries())
    expect(second[at]?.content.equals(content)).toBe(true)
  expect(first[0]?.content.length).toBeLessThanOrEqual(200_000)
})

test('a runner from the server’s own package, in an empty folder, judges', async () => {
  const stack = await startTestStack({ runners: 0 })
  const folder = await unpackRunner(stack.url)
  const runner = createRunner(
    {
      SERVER_URL: stack.url,
      RUNNER_REGISTRATION_TOKEN: stack.runnerEnvironment['RUNNER_REGISTRATION_TOKEN'] ?? '',
      RUNNER_NAME: 'packed',
      RUNNER_SLOTS: '1',
      RUNNER_STATE_DIR: join(folder, 'state'),
    },
    join(folder, 'runner.mjs'),
  )
  await runner.start()
  const api = await clientOf(stack.url, 'admin')
  await api.call('POST', '/course', z.unknown(), { json: { course: 'Packed', teacher: 'admin' } })
  // The runner compares large outputs on another thread.
  const output = Buffer.from('a line of the output\n'.repeat(40_000))
  const problemId = await createProblem(
    api,
    {
      name: 'packed',
      title: 'Packed',
      subtasks: [{ score: 100, timeMs: 2_000, memoryKb: 65_536, outputKb: 2_048 }],
      cases: [[{ input: Buffer.from(''), output }]],
      compare: { mode: 'lines' },
      solutions: [],
    },
    'Packed',
  )
  const solution = { file: 'main.py', allowed: [STATUS.AC], score: 100, subtasks: undefined }
  const code = Buffer.from("print('a line of the output\\n' * 40_000, end='')")
  const submissionId = await submit(api, problemId, { ...solution, language: 'py3', code })
  expect(await untilJudged(api, submissionId, Date.now() + PATIENCE_MS)).toMatchObject({
    status: STATUS.AC,
    score: 100,
  })
  await runner.stop()
})
