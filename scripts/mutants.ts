/**
 * `npm run mutants [-- WORD…]`: makes each mutation of `mutants/mutations.ts` in a copy of the project and runs tests, which have to
 * fail: first the quick ones that it names, then the long ones beside them. A mutation that lives is a rule without a test. With
 * words it makes those whose name, file or tests hold one of them.
 */
import { availableParallelism } from 'node:os'
import { Lane, projectOf } from './mutants/lane.ts'
import type { Mode } from './mutants/tests-process.ts'
import { MUTATIONS, type Mutation } from './mutants/mutations.ts'
import { PlainError, runCommand } from './plain-error.ts'
import { startReaper } from './process/reaper.ts'

/** Two copies at most: a run of tests has several processes itself. */
const LANES = Math.min(2, availableParallelism())

interface Verdict {
  mutation: Mutation
  died: Mode | null
}

function chosen(words: string[]): readonly Mutation[] {
  const isMeant = ({ name, file, tests }: Mutation) =>
    words.length === 0 || words.some((word) => [name, file, tests].some((t) => t.includes(word)))
  const found = MUTATIONS.filter(isMeant)
  if (found.length === 0) throw new PlainError('No mutation is called so.')
  return found
}

/** The tests of a mutation in a mode; null: there are none but those that ran before. */
function testsIn(mode: Mode, { tests }: Mutation): string | null {
  const isFile = tests.endsWith('.test.ts')
  if (mode === 'quick') return tests.endsWith('.long.test.ts') ? null : tests
  return isFile ? tests.slice(0, tests.lastIndexOf('/') + 1) : tests
}

async function diesIn(lane: Lane, mutation: Mutation): Promise<Mode | null> {
  lane.mutate(mutation)
  try {
    for (const mode of ['quick', 'long'] as const) {
      const tests = testsIn(mode, mutation)
      if (tests !== null && (await lane.failsIn(mode, [tests]))) return mode
    }
    return null
  } finally {
    lane.undo()
  }
}

/** Without a mutation, tests that fail would say nothing. */
async function demandHealth(lane: Lane, mode: Mode, mutations: readonly Mutation[]): Promise<void> {
  const tests = new Set(mutations.map((mutation) => testsIn(mode, mutation)))
  const named = [...tests].filter((name) => name !== null)
  for (const [project, files] of Object.entries(Object.groupBy(named, projectOf)))
    if (await lane.failsIn(mode, files ?? []))
      throw new PlainError(
        `The ${mode} tests of ${project} fail without any mutation: ${lane.logFile}`,
      )
}

/** Makes these mutations, one in each lane at a time. */
async function makeAll(lanes: readonly Lane[], mutations: readonly Mutation[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  const waiting = [...mutations]
  const work = async (lane: Lane) => {
    for (let mutation = waiting.shift(); mutation; mutation = waiting.shift()) {
      const began = performance.now()
      const died = await diesIn(lane, mutation)
      const seconds = Math.round((performance.now() - began) / 1_000)
      console.log(
        `${(died ?? 'LIVES').padEnd(6)}${String(seconds).padStart(4)} s  ${mutation.name}`,
      )
      verdicts.push({ mutation, died })
    }
  }
  await Promise.all(lanes.map(work))
  return verdicts
}

async function main(): Promise<number> {
  const mutations = chosen(process.argv.slice(2))
  const reaper = startReaper()
  const first = new Lane(0, reaper)
  const others = Array.from({ length: LANES - 1 }, (_, index) => new Lane(index + 1, reaper))
  try {
    await demandHealth(first, 'quick', mutations)
    const verdicts = await makeAll([first, ...others], mutations)
    const of = (mode: Mode | null) => verdicts.filter(({ died }) => died === mode)
    const inLong = of('long').map(({ mutation }) => mutation)
    await demandHealth(first, 'long', inLong)
    const dead = verdicts.length - of(null).length
    const share = Math.floor((of('quick').length / verdicts.length) * 100)
    console.log(`${dead} of ${verdicts.length} die, ${share} % of all in quick tests.`)
    return dead === verdicts.length ? 0 : 1
  } finally {
    for (const lane of [first, ...others]) lane.end()
  }
}

await runCommand(main)
