/** Finding one case's output among all outputs of a judgement, at any position in the chunks that are read. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { KEPT_OUTPUT_BYTES } from '#contract/limits'
import { findKeptOutput } from '../../../worker/lib/kept-outputs.ts'

function outputOf(task: number, caseIndex: number, bytes: number) {
  const stdout = Buffer.alloc(bytes, `${task}.${caseIndex} `).toString('base64')
  const sizes = { stdoutSize: bytes, stderrSize: 0, expectedSize: 0 }
  return { task, case: caseIndex, stdout, stderr: '', expected: '', ...sizes }
}

function streamOf(text: string): ReadableStream {
  const { body } = new Response(text)
  if (!body) throw new Error('no body')
  return body
}

test('each case is found, whatever the sizes of those before it, and no other', async () => {
  const bytes = fc.integer({ min: 0, max: KEPT_OUTPUT_BYTES })
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 12 }), async (sizes) => {
      const outputs = sizes.map((size, index) => outputOf(index % 3, Math.floor(index / 3), size))
      const text = JSON.stringify(outputs)
      for (const output of outputs)
        expect(await findKeptOutput(streamOf(text), output.task, output.case)).toEqual(output)
      for (const [task, caseIndex] of [
        [0, 4],
        [10, 0],
      ] as const)
        expect(await findKeptOutput(streamOf(text), task, caseIndex)).toBe(undefined)
    }),
    { numRuns: 20 },
  )
})

test('a beginning that two reads share is found', async () => {
  // A chunk is 64 KiB long.
  for (let before = 64 * 1024 - 30; before <= 64 * 1024; before += 1) {
    const text = `[${' '.repeat(before)}${JSON.stringify(outputOf(7, 42, 9))}]`
    expect(await findKeptOutput(streamOf(text), 7, 42)).toEqual(outputOf(7, 42, 9))
  }
})
