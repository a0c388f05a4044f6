/** Somebody signs in beside 120 wrong guesses at once, and beside a student who writes all that one may at once. */
import { HASHING } from '../../../worker/lib/fair-queue.ts'
import { WRITE_LIMITS } from '../../../worker/db/write-limits.ts'
import { PASSWORD, type Installation } from '../installation.ts'
import type { Report } from '../report.ts'
import { send } from '../send.ts'
import type { BenchStack } from '../stack.ts'
import { reportBeside } from './beside.ts'

const GUESSES = 120

/** An attempt to sign in from an address. */
function attempt(stack: BenchStack, username: string, password: string, ip: string) {
  const json = { username, password }
  const headers = { 'CF-Connecting-IP': ip }
  return send(
    stack,
    { path: '/api/auth/session', method: 'POST', cookie: '', json, headers },
    [200, 403, 429],
  )
}

export async function signIns(
  stack: BenchStack,
  { student, classmate: writer }: Installation,
  report: Report,
): Promise<void> {
  const honest = async () => {
    const { status } = await attempt(stack, 'student1500', PASSWORD, '192.0.2.1')
    if (status !== 200) throw new Error(`an honest sign-in was answered ${status}`)
  }
  /** As many lists of courses read at once, as by a class. */
  const readsAtOnce = (count: number) => () =>
    Promise.all(
      Array.from({ length: count }, () => send(stack, { path: '/api/course', cookie: student })),
    )
  let burst = 0
  let hashed = 0
  await reportBeside(stack, report, {
    what: `a sign-in beside ${GUESSES} wrong guesses at once from one address`,
    honest,
    crowd: readsAtOnce(GUESSES),
    rounds: 1,
    async burst() {
      burst += 1
      const ip = `2001:db8:${burst.toString(16)}::1`
      const answers = await Promise.all(
        Array.from({ length: GUESSES }, (_, index) =>
          attempt(stack, `student${index + 1}`, 'a wrong guess', ip),
        ),
      )
      hashed = Math.max(hashed, answers.filter(({ status }) => status === 403).length)
    },
  })
  // Those that wait for their turn, and some whose turn came while others arrived.
  const most = 1.25 * HASHING.waiting
  report.bound(`of ${GUESSES} guesses at once are hashed`, hashed, most)
  const { burst: writes } = WRITE_LIMITS.perStudent
  await reportBeside(stack, report, {
    what: `a sign-in beside ${writes} profiles saved at once by one student`,
    honest,
    crowd: readsAtOnce(writes),
    burst: () =>
      Promise.all(
        Array.from({ length: writes }, (_, index) =>
          send(stack, {
            path: '/api/profile',
            method: 'POST',
            cookie: writer,
            json: { bio: `edit ${index}` },
          }),
        ),
      ),
  })
}
