/** `npm run bench -- NAME…`: the benchmarks. Each prints PASS or FAIL for each bound; after a FAIL the exit code is 1. */
import { benchAbuse } from './bench/abuse.ts'
import { benchApi } from './bench/api.ts'
import { benchCost } from './bench/cost.ts'
import { benchDrain } from './bench/drain.ts'
import { benchGradebook } from './bench/gradebook.ts'
import { benchJoin } from './bench/join.ts'
import { benchJudge } from './bench/judge.ts'
import { benchLive } from './bench/live.ts'
import { benchLoad } from './bench/load.ts'
import { benchLone } from './bench/lone.ts'
import { benchMistakes } from './bench/mistakes.ts'
import { Report } from './bench/report.ts'
import { benchWeb } from './bench/web.ts'
import { buildWeb } from './bundle/build-web.ts'
import { PlainError, runCommand } from './plain-error.ts'

/** Every benchmark by its name; each runs against a stack of its own. */
const BENCHES: Readonly<Record<string, (report: Report) => Promise<void>>> = {
  abuse: benchAbuse,
  api: benchApi,
  cost: benchCost,
  drain: benchDrain,
  gradebook: benchGradebook,
  join: benchJoin,
  judge: benchJudge,
  live: benchLive,
  load: benchLoad,
  lone: benchLone,
  mistakes: benchMistakes,
  web: benchWeb,
}

async function main(): Promise<number> {
  const names = process.argv.slice(2)
  const unknown = names.find((name) => !Object.hasOwn(BENCHES, name))
  if (unknown !== undefined)
    throw new PlainError(
      `There is no benchmark ${unknown}; there are: ${Object.keys(BENCHES).join(', ')}.`,
    )
  await buildWeb()
  const report = new Report()
  for (const [name, bench] of Object.entries(BENCHES))
    if (names.length === 0 || names.includes(name)) await bench(report)
  return report.holds ? 0 : 1
}

await runCommand(main)
