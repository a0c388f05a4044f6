/** Bodies that are refused, beside somebody who signs in: nested JSON from a guest, streams from nobody. */
import { PASSWORD, type Installation } from '../installation.ts'
import type { Report } from '../report.ts'
import { send, type Call } from '../send.ts'
import type { BenchStack } from '../stack.ts'
import { reportBeside } from './beside.ts'

const MIB = 1024 ** 2
const REFUSALS = [400, 401, 413]

/** Makes a call that is refused; the server may hang up on the rest of its body. */
async function refused(stack: BenchStack, made: Call): Promise<void> {
  const answer = await send(stack, made, REFUSALS).catch((error: unknown) => {
    if (error instanceof TypeError) return
    throw error
  })
  if (answer?.ok) throw new Error(`${made.path} was not refused`)
}

/** Fifteen mebibytes that do not say their length. */
function stream(): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(64 * 1024).fill(0x5b)
  let left = (15 * MIB) / chunk.length
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close()
      left -= 1
      controller.enqueue(chunk)
    },
  })
}

/** Measures signing in beside both. */
export async function refusedBodies(
  stack: BenchStack,
  _installation: Installation,
  report: Report,
): Promise<void> {
  const signIn = { path: '/api/auth/session', method: 'POST', cookie: '' }
  const honest = () =>
    send(stack, { ...signIn, json: { username: 'student7', password: PASSWORD } })
  const nested = '['.repeat(2 * MIB) + ']'.repeat(2 * MIB)
  await reportBeside(stack, report, {
    what: 'sign-in beside 4 MB of nested JSON',
    honest,
    burst: () => refused(stack, { ...signIn, body: nested }),
  })
  const routes = ['heartbeat', 'register', 'jobs/claim'].flatMap((name) => [name, name])
  await reportBeside(stack, report, {
    what: 'sign-in beside six streams of 15 MiB to judge hosts’ routes',
    honest,
    burst: () =>
      Promise.all(
        routes.map((name) =>
          refused(stack, {
            path: `/api/runner/${name}`,
            method: 'POST',
            cookie: '',
            body: stream(),
          }),
        ),
      ),
  })
}
