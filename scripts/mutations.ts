/** Faults that somebody could make in the rules of the judge. `npm run mutants` makes each of them; a test has to fail. */

export interface Mutation {
  /** What goes wrong. */
  name: string
  file: string
  /** A text that stands once in the file, and what takes its place. */
  from: string
  to: string
  /** The folder or the beginning of a file's name whose tests have to see it. */
  tests: string
}

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'the sweeper ends a third attempt that is still running',
    file: 'worker/features/judging/lost-job-queries.ts',
    from: 'or(isNull(judgements.leaseUntil), lt(judgements.leaseUntil, now)),',
    to: '',
    tests: 'tests/worker/judging',
  },
  {
    name: 'a job given up keeps the quota',
    file: 'worker/features/judging/lost-job-queries.ts',
    from: ', quotaUsed: 0 }',
    to: ' }',
    tests: 'tests/worker/judging',
  },
  {
    name: 'a Judge Error of a host keeps the quota',
    file: 'worker/features/judging/result-queries.ts',
    from: 'iif(${judgements.status} = ${STATUS.JE}, 0, ${submissions.quotaUsed})',
    to: '${submissions.quotaUsed}',
    tests: 'tests/worker/judging',
  },
  {
    name: 'held jobs get tickets again',
    file: 'worker/features/judging/lost-job-queries.ts',
    from: ' and (${leaseUntil} is null or ${leaseUntil} < ${now})',
    to: '',
    tests: 'tests/worker/judging',
  },
  {
    name: 'a problem of a future exam shows because a past homework had it',
    file: 'worker/db/visibility.ts',
    from: ' and ${h.endAt} >= ${now}',
    to: '',
    tests: 'tests/worker/homeworks',
  },
  {
    name: 'a problem of a future homework shows',
    file: 'worker/db/visibility.ts',
    from: 'and ${h.startAt} > ${now})\n    or',
    to: 'and ${h.startAt} > ${now} + 999999999)\n    or',
    tests: 'tests/worker/homeworks',
  },
  {
    name: 'a compiler that was stopped counts as the source’s fault for good',
    file: 'runner/compile/message.ts',
    from: 'fired === null &&\n    !oomKilled',
    to: '!oomKilled',
    tests: 'tests/runner/compile',
  },
  {
    name: 'a source zip is inflated before its size is looked at',
    file: 'worker/features/submissions/source.ts',
    from: 'if (entry.sizeBytes > SOURCE_LIMIT_BYTES)',
    to: 'if (unpackEntry(entry, packed).length > SOURCE_LIMIT_BYTES)',
    tests: 'tests/worker/submissions',
  },
  {
    name: 'a source zip is inflated without a bound',
    file: 'worker/features/submissions/source.ts',
    from: ', maxOutputLength: 2 * INFLATED_BYTES',
    to: '',
    tests: 'tests/worker/submissions',
  },
]
