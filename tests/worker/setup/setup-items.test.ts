/** All items of the first-run page: in order, each with its time, exact to the second. */
import { expect, test } from 'vitest'
import { setupItemsOf } from '../../../worker/features/setup/items.ts'
import type { SetupFacts } from '../../../worker/features/setup/queries.ts'
import { workerEnv } from '../support/step-queue.ts'

const NOW = 1_800_000_000
type Name = Parameters<SetupFacts['times']['get']>[0]

/** The items in this situation. */
function itemsOf(
  times: Partial<Record<Name, number>>,
  facts: Partial<SetupFacts> = {},
  schema: 'ok' | 'behind' | 'unknown' = 'ok',
) {
  const known = new Map(Object.entries(times) as [Name, number][])
  const none = { heartbeatAt: null, course: false, teacher: false, waiting: null }
  const situation = { schema, page: 'https://judge.test', now: NOW }
  return setupItemsOf(workerEnv, { ...situation, facts: { ...none, times: known, ...facts } })
}

test('of a new installation are open, in the order in which they are done', () => {
  const open = { state: 'open', at: null, lacks: [] }
  const done = { state: 'done', at: null, lacks: [] }
  expect(itemsOf({})).toEqual([
    { item: 'database', ...done },
    { item: 'address', ...done },
    { item: 'cron', ...open },
    { item: 'host', ...open },
    { item: 'teacher', ...open },
    { item: 'course', ...open },
    { item: 'mail', ...open },
    { item: 'alarms', ...open },
    { item: 'hashing', ...open },
    { item: 'registration', ...done },
  ])
})

test('mail says what waits, nothing else does', () => {
  const waiting = { mails: 2, until: NOW + 60 }
  const telling = itemsOf({}, { waiting }).filter((item) => item.waiting)
  expect(telling).toMatchObject([{ item: 'mail', waiting }])
})

function stateOf(name: string, ...situation: Parameters<typeof itemsOf>) {
  const found = itemsOf(...situation).find(({ item }) => item === name)
  return [found?.state, found?.at]
}

test('a sign of life counts for so long, to the second, and says when it was', () => {
  for (const [name, seconds] of [
    ['cron', 300],
    ['host', 45],
  ] as const) {
    const at = (time: number) =>
      name === 'cron' ? stateOf(name, { swept_at: time }) : stateOf(name, {}, { heartbeatAt: time })
    expect(at(NOW - seconds + 1)).toEqual(['done', NOW - seconds + 1])
    expect(at(NOW - seconds)).toEqual(['failed', NOW - seconds])
  }
})

test('a trial says when it was, and whether what it tried worked since', () => {
  for (const [name, tried, worked] of [
    ['mail', 'mail_tried_at', 'mail_sent_at'],
    ['alarms', 'alarm_tried_at', 'alarm_told_at'],
    ['hashing', 'hash_tried_at', 'hashed_at'],
  ] as const) {
    expect(stateOf(name, { [tried]: 9 })).toEqual(['failed', 9])
    expect(stateOf(name, { [tried]: 9, [worked]: 8 })).toEqual(['failed', 9])
    expect(stateOf(name, { [tried]: 9, [worked]: 9 })).toEqual(['done', 9])
    expect(stateOf(name, { [tried]: 9, [worked]: 12 })).toEqual(['done', 9])
    expect(stateOf(name, { [worked]: 12 })).toEqual(['open', null])
  }
})

test('a course has a teacher; a teacher alone is no course; a database that is not known to be newest has failed', () => {
  const both = (facts: Partial<SetupFacts>) =>
    ['teacher', 'course'].map((name) => stateOf(name, {}, facts)[0])
  expect(both({ course: true })).toEqual(['done', 'done'])
  expect(both({ teacher: true })).toEqual(['done', 'open'])
  expect(both({})).toEqual(['open', 'open'])
  for (const schema of ['behind', 'unknown'] as const)
    expect(stateOf('database', {}, {}, schema)).toEqual(['failed', null])
})
