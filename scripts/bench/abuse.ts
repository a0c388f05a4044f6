/** `npm run bench -- abuse`: what single bad actors cost everybody else. */
import { crowding } from './abuse/crowding.ts'
import { handingIn } from './abuse/hand-in.ts'
import { heavyJson } from './abuse/heavy-json.ts'
import { reads } from './abuse/reads.ts'
import { signIns } from './abuse/sign-ins.ts'
import { fillPeople, fillSubmissions, type Installation } from './installation.ts'
import { Report } from './report.ts'
import { startBenchStack, type BenchStack } from './stack.ts'

/** An attack on the API; all share one stack, so each uses addresses, people and problems of its own. */
export type ApiAttack = (
  stack: BenchStack,
  installation: Installation,
  report: Report,
) => Promise<void>

/** An attack on a judge host, which needs no stack. */
type HostAttack = (report: Report) => Promise<void>

const API_ATTACKS: readonly ApiAttack[] = [heavyJson, handingIn, signIns, reads]

const HOST_ATTACKS: readonly HostAttack[] = [crowding]

const SUBMISSIONS = 10_000

/** Answers whether every bound holds. */
export async function benchAbuse(): Promise<boolean> {
  const report = new Report()
  const stack = await startBenchStack()
  try {
    const people = await fillPeople(stack)
    const installation = {
      ...people,
      submissionId: await fillSubmissions(stack, 0, SUBMISSIONS - 1),
    }
    for (const attack of API_ATTACKS) await attack(stack, installation, report)
  } finally {
    await stack.stop()
  }
  for (const attack of HOST_ATTACKS) await attack(report)
  return report.holds
}
