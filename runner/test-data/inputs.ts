/** The inputs of a sample run as files: they come with the job, not as a zip. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunInputs } from '#contract/judging'
import type { TestData } from './store.ts'

/** Writes inputs and expected outputs into a directory of their own below `scratchDir`. */
export async function placeInputs({ inputs }: RunInputs, scratchDir: string): Promise<TestData> {
  // The directory is this run's own: the files of a stopped run may still be written.
  const directory = await mkdtemp(join(scratchDir, 'inputs-'))
  const pathOf = (subtask: number, ending: string) => join(directory, `${subtask}.${ending}`)
  for (const [subtask, { input, expected }] of inputs.entries()) {
    await writeFile(pathOf(subtask, 'in'), input)
    await writeFile(pathOf(subtask, 'out'), expected ?? '')
  }
  return {
    inputPath: (subtask) => pathOf(subtask, 'in'),
    expectedPath: (subtask) => pathOf(subtask, 'out'),
    // If this fails, the next start deletes the files.
    release: () => void rm(directory, { recursive: true, force: true }).catch(() => {}),
  }
}
