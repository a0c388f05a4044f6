/** The inputs of a sample run as files: they come with the job, not as a zip. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunInputs } from '#contract/judging'
import type { TestData } from './store.ts'

/** Writes inputs and expected outputs into a directory of their own below `scratchDir`. */
export async function placeInputs({ inputs }: RunInputs, scratchDir: string): Promise<TestData> {
  const directory = join(scratchDir, 'inputs')
  const pathOf = (subtask: number, ending: string) => join(directory, `${subtask}.${ending}`)
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { mode: 0o700 })
  for (const [subtask, { input, expected }] of inputs.entries()) {
    await writeFile(pathOf(subtask, 'in'), input)
    await writeFile(pathOf(subtask, 'out'), expected ?? '')
  }
  return {
    inputPath: (subtask) => pathOf(subtask, 'in'),
    expectedPath: (subtask) => pathOf(subtask, 'out'),
    // The slot's next run replaces them.
    release: () => {},
  }
}
