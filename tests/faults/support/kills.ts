/** One round: programs are handed in, a runner or Worker dies at a point, and every program gets its verdict. */
import type { Act, ProxiedCall } from '../../../scripts/stack/runner-proxy.ts'
import type { FaultStack, Sent } from './fault-stack.ts'
import { ENDINGS } from './fault-stack.ts'
import type { Point } from './points.ts'

/** Programs in flight at a death; the round adds more if these do not reach the point. */
const IN_FLIGHT = 4

interface Death {
  /** The fate of the call at which the process dies. */
  act: Act
  /** Resolves when the dead process is back. */
  over: Promise<void>
}

/**
 * Kills one process at a point, and waits until it is back and everything is judged.
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
    // Calls left over from an earlier round, such as a stale ticket, do not count as the point.
    isArmed = true
    if (sent.length < IN_FLIGHT) continue
    await Promise.race([reached.promise, faults.final(one)])
    if (deaths.length > 0) break
    // New test data, which no runner has yet. Kills are off while the problem is made, because that is not the point.
    isArmed = false
    problemId = await faults.createProblem(`${mark}, ${index}`)
    isArmed = true
  }
  await deaths[0]?.over
  for (const one of sent) await faults.final(one)
  return sent
}
