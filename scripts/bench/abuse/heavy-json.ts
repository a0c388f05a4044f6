/** What refusing a body costs, next to reading and parsing the same text and doing nothing else. */
import { BODY_LIMITS, COUNT_LIMITS } from '#contract/limits'
import { shuffled } from '../../test/shuffled.ts'
import type { Installation } from '../installation.ts'
import { percentile, timed, type Report } from '../report.ts'
import { send, type Call } from '../send.ts'
import type { BenchStack } from '../stack.ts'

/** Refused ÷ parsed: at the lower quartiles, which are the work itself, and on average, where garbage of most rounds is collected. */
const MOST_RATIO = 3
const MOST_AVERAGE_RATIO = 6
/** More where little is to be measured. */
const ROUNDS = { large: 50, small: 200 } as const
/** Of the rounds, the slowest, which do not count on average: others wanted the machine, or rare garbage was collected. */
const SLOWEST = 0.1
/** Parsing is the engine's own code; ours is compiled only after some calls. */
const WARM_UP = 12

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

type Refused = Omit<Call, 'cookie'> & { body: string }

/** The mean without the slowest. */
function average(times: readonly number[]): number {
  const counted = times.toSorted((left, right) => left - right).slice(0, -SLOWEST * times.length)
  return counted.reduce((sum, time) => sum + time, 0) / counted.length
}

/**
 * What a body adds to a refused call, against what it adds to `/bench/parse`: each call with it and with a short one, in
 * turn, so that whatever else the machine does slows all alike, and what signing in costs is not the body's. The order changes by
 * chance, because what one call leaves is collected in another: in a fixed order it could be the same one every time.
 */
async function costOf(stack: BenchStack, cookie: string, refused: Refused, small: string) {
  const parse = { ...refused, path: '/bench/parse', method: 'POST', cookie: '' }
  const calls = [
    () => send(stack, { ...refused, cookie }, [400]),
    () => send(stack, { ...refused, cookie, body: small }, [400]),
    () => send(stack, parse),
    () => send(stack, { ...parse, body: small }),
  ]
  const kinds = calls.map((call) => ({ call, times: [] as number[] }))
  const rounds = refused.body.length > BODY_LIMITS.formBytes ? ROUNDS.large : ROUNDS.small
  for (let round = -WARM_UP; round < rounds; round += 1)
    for (const { call, times } of shuffled(kinds)) {
      const time = await timed(call)
      if (round >= 0) times.push(time)
    }
  return (summary: (times: readonly number[]) => number) => {
    const [full = 0, short = 0, parsed = 0, shortParsed = 0] = kinds.map(({ times }) =>
      summary(times),
    )
    return { refusedMs: Math.max(0, full - short), parsedMs: Math.max(0, parsed - shortParsed) }
  }
}

/** Bodies of every odd shape, as large as the call allows. */
export async function heavyJson(
  stack: BenchStack,
  { teacher: cookie, course }: Installation,
  report: Report,
): Promise<void> {
  const small = JSON.stringify({ course })
  const compare = async (what: string, refused: Refused) => {
    const cost = await costOf(stack, cookie, refused, small)
    const { refusedMs, parsedMs } = cost((times) => percentile(times, 0.25))
    const size = `${(refused.body.length / 1024).toFixed(0)} KiB`
    const detail = `${size}, ${refusedMs.toFixed(1)} and ${parsedMs.toFixed(1)} ms`
    report.bound(`${what}: refused ÷ parsed`, refusedMs / parsedMs, MOST_RATIO, detail)
    const mean = cost(average)
    const ratio = mean.refusedMs / mean.parsedMs
    report.bound(`${what}: the same, on average`, ratio, MOST_AVERAGE_RATIO)
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
  // JSON writes a quote with two bytes.
  const files = {
    'a million lines': 'a\n'.repeat(1_300_000),
    'a quote for each letter': `"${'a"'.repeat(1_300_000)}`,
    'blanks after many quotes': `"${'"a'.repeat(600_000)}${' '.repeat(2_000_000)},x`,
  }
  for (const [what, rows] of Object.entries(files)) {
    const body = JSON.stringify({ newUsers: `username,password,email\n${rows}`, course })
    await compare(`a CSV of ${what}`, { path: '/api/auth/batch-signup', method: 'POST', body })
  }
  const classList = { path: `/api/course/${encodeURIComponent(course)}`, method: 'PUT' }
  const count = COUNT_LIMITS.membersPerRequest
  const filler = (BODY_LIMITS.formBytes - 200) / (2 * count) - '"",'.length
  const lists = {
    'bad names': Array.from({ length: count }, () => '!'),
    'bad names of some length': Array.from({ length: count }, () => '!'.repeat(filler)),
    'good names and a bad one': Array.from({ length: count }, (_, index) =>
      index === count - 1 ? '!' : `student${index}`,
    ),
  }
  for (const [what, names] of Object.entries(lists)) {
    const list = JSON.stringify({ TAs: names, students: names, extra: '' })
    const body = list.replace(/""}$/, `"${'x'.repeat(BODY_LIMITS.formBytes - list.length)}"}`)
    await compare(`thousands of ${what}`, { ...classList, body })
  }
}
