/** One round of a death: programs are handed in, somebody dies at a point, all of them get their verdicts. */
import type { Act, ProxiedCall } from '../../../scripts/stack/runner-proxy.ts'
import type { FaultStack, Sent } from './fault-stack.ts'
import { ENDINGS } from './fault-stack.ts'
import type { Point } from './points.ts'

/** Programs in flight when somebody dies; more where the point was not reached with these. */
const IN_FLIGHT = 4

interface Death {
  /** What becomes of the call at which it happens. */
  act: Act
  /** Resolves when whoever died is back. */
  over: Promise<void>
}

/**
 * Kills once at a point and waits until everything is back and judged.
 * @param die is called at the point
 */
export async function dieAt(
  faults: FaultStack,
  { what, stage, is, ms }: Point,
  number: number,
  die: (call: ProxiedCall, runner: number) => Death,
): Promise<Sent[]> {
  const mark = `${what}, ${number}`
  let problemId = await faults.createProblem(mark)
  const reached = Promise.withResolvers<void>()
  const deaths: Death[] = []
  let isArmed = false
  faults.onCall = (call, runner) => {
    if (!isArmed || deaths.length > 0 || call.stage !== stage || !is(call)) return true
    const death = die(call, runner)
    deaths.push(death)
    reached.resolve()
    return death.act
  }
  const sent: Sent[] = []
  for (let index = 0; ; index++) {
    const ending = ENDINGS[index % ENDINGS.length] ?? 'AC'
    const one = await faults.submit(problemId, ending, { mark: `${mark}, ${index}`, ms })
    sent.push(one)
    // Whatever an earlier round left behind, such as a stale ticket, is no point of this one.
    isArmed = true
    if (sent.length < IN_FLIGHT) continue
    await Promise.race([reached.promise, faults.final(one)])
    if (deaths.length > 0) break
    // Other test data than the runners have by now. Nobody dies meanwhile: making a problem is not what is tried.
    isArmed = false
    problemId = await faults.createProblem(`${mark}, ${index}`)
    isArmed = true
  }
  await deaths[0]?.over
  for (const one of sent) await faults.final(one)
  return sent
}
