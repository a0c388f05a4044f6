/** What refusing a body costs, next to reading and parsing the same text and doing nothing else. */
import { BODY_LIMITS, COUNT_LIMITS } from '#contract/limits'
import type { Installation } from '../installation.ts'
import { percentile, timed, type Report } from '../report.ts'
import { send, type Call } from '../send.ts'
import type { BenchStack } from '../stack.ts'

/** Refused ÷ parsed. */
const MOST_RATIO = 3
const ROUNDS = 15
const WARM_UP = 3

/** What a problem form has in a field that no form has, with about so many bytes. */
const VALUES: Readonly<Record<string, (bytes: number) => string>> = {
  'nested lists': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'nested objects': (bytes) => `${'{"a":'.repeat(bytes / 6)}0${'}'.repeat(bytes / 6)}`,
  'empty lists': (bytes) => `[${'[],'.repeat(bytes / 3 - 1)}0]`,
  'many keys': (bytes) =>
    `{${Array.from({ length: bytes / 16 }, (_, index) => `"k${index}":0`).join(',')}}`,
  'small numbers': (bytes) => `[${'1,'.repeat(bytes / 2 - 1)}1]`,
  'one long text': (bytes) => JSON.stringify('x'.repeat(bytes)),
  'brackets in a text': (bytes) => JSON.stringify('['.repeat(bytes)),
  'escaped quotes': (bytes) => JSON.stringify('"'.repeat(bytes / 2)),
  'characters of three bytes': (bytes) => JSON.stringify('漢'.repeat(bytes / 3)),
}

/** Each refusal against `/bench/parse`, in turn, so that whatever else the machine does slows both alike. */
export async function heavyJson(
  stack: BenchStack,
  { teacher: cookie, course }: Installation,
  report: Report,
): Promise<void> {
  const compare = async (what: string, refused: Omit<Call, 'cookie'> & { body: string }) => {
    const ratios: number[] = []
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const parse = { ...refused, path: '/bench/parse', method: 'POST', cookie: '' }
      const parsed = await timed(() => send(stack, parse))
      const api = await timed(() => send(stack, { ...refused, cookie }, [400]))
      if (round >= 0) ratios.push(api / parsed)
    }
    const size = `${(refused.body.length / 1024).toFixed(0)} KiB`
    report.bound(`${what}: refused ÷ parsed`, percentile(ratios, 0.5), MOST_RATIO, size)
  }
  const room = BODY_LIMITS.longFormBytes - 200
  for (const [what, valueOf] of Object.entries(VALUES)) {
    const body = `{"course":"${course}","problemName":"","extra":${valueOf(room)}}`
    await compare(what, { path: '/api/problem/manage', method: 'POST', body })
  }
  const tags = `{"course":"${course}","tags":[${'"",'.repeat(room / 3 - 20)}""]}`
  await compare('a list that is too long', {
    path: '/api/problem/manage',
    method: 'POST',
    body: tags,
  })
  const csv = 'username,password,email\n' + 'a\n'.repeat(1_300_000)
  await compare('a CSV of a million lines', {
    path: '/api/auth/batch-signup',
    method: 'POST',
    body: JSON.stringify({ newUsers: csv, course }),
  })
  const names = Array.from({ length: COUNT_LIMITS.membersPerRequest }, () => '!')
  await compare('thousands of bad names', {
    path: `/api/course/${encodeURIComponent(course)}`,
    method: 'PUT',
    body: JSON.stringify({ TAs: names, students: names, extra: 'x'.repeat(200_000) }),
  })
}
