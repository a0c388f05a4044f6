/**
 * Runs tests whenever it is told to: `node scripts/mutants/tests.ts <mode> <project>`, in a copy of the project. Vitest stays,
 * because its start takes longer than the tests.
 */
import { createVitest } from 'vitest/node'
import { messageOf } from '../plain-error.ts'

/** What to run, and which files have changed since. */
export interface Order {
  tests: readonly string[]
  changed: readonly string[]
}

export interface Outcome {
  failed: boolean
}

const [mode = '', project = ''] = process.argv.slice(2)
const vitest = await createVitest('test', { mode, project: [project], bail: 1, watch: false })
await vitest.standalone()

async function run({ tests, changed }: Order): Promise<Outcome> {
  for (const path of changed) vitest.invalidateFile(path)
  const found = await vitest.globTestSpecifications([...tests])
  if (found.length === 0) return { failed: false }
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(found, false)
  // The answer also has the modules of earlier runs.
  const meant = new Set(found.map(({ moduleId }) => moduleId))
  const failed = testModules.some((module) => meant.has(module.moduleId) && !module.ok())
  return { failed: failed || unhandledErrors.length > 0 }
}

process.on('message', (order: Order) => {
  run(order).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => {
      console.error(messageOf(error))
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))
