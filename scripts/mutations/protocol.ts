/** Faults of the judging protocol that the search of its states finds, without any other test. */
import type { Mutation } from './mutation.ts'

export const PROTOCOL: readonly Mutation[] = [
  {
    name: 'a result is stored with any lease between look and statement',
    file: 'worker/features/judging/result-queries.ts',
    from: '        plan: null,\n      })\n      .where(isHeldBy(judgementId, report.lease))',
    to: "        plan: null,\n      })\n      .where(and(eq(judgements.id, judgementId), eq(judgements.state, 'leased')))",
    tests: 'tests/worker/judging/search',
  },
  {
    name: 'a second result with the same lease is stored',
    file: 'worker/features/judging/lease-queries.ts',
    from: "    eq(judgements.state, 'leased'),\n  )\n}",
    to: '  )\n}',
    tests: 'tests/worker/judging/search',
  },
  {
    name: 'the sweeper ends a job with an attempt left',
    file: 'worker/features/judging/lost-job-queries.ts',
    from: 'gte(judgements.attempt, JUDGING.maxAttempts)',
    to: 'gte(judgements.attempt, JUDGING.maxAttempts - 1)',
    tests: 'tests/worker/judging/search',
  },
  {
    name: 'a rejudge leaves the old judgement in the queue',
    file: 'worker/features/judging/rejudge-queries.ts',
    from: '.where(and(eq(judgements.submissionId, submissionId), isNull(judgements.finishedAt)))',
    to: '.where(and(eq(judgements.id, submissionId), isNull(judgements.finishedAt)))',
    tests: 'tests/worker/judging/search',
  },
  {
    name: 'a rejudge leaves the old judgement current',
    file: 'worker/features/judging/rejudge-queries.ts',
    from: '.set({ ...PENDING, judgementId })',
    to: '.set({ ...PENDING })',
    tests: 'tests/worker/judging/search',
  },
  {
    name: 'a job is given back with any lease',
    file: 'worker/features/judging/hand-back-queries.ts',
    from: 'NOT_COUNTED,\n      })\n      .where(isHeldBy(judgementId, lease))\n      .returning',
    to: "NOT_COUNTED,\n      })\n      .where(sql`${judgements.id} = ${judgementId} and ${judgements.state} = 'leased'`)\n      .returning",
    tests: 'tests/worker/judging/search',
  },
  {
    name: 'a heartbeat extends a lease that another host has',
    file: 'worker/features/judging/runner-queries.ts',
    from: '    eq(judgements.runnerId, runnerId),\n',
    to: '',
    tests: 'tests/worker/judging/search',
  },
  {
    name: 'a claim frees a lease that still runs',
    file: 'worker/features/judging/claim-queries.ts',
    from: '${leaseUntil} < ${now}\n    order by',
    to: '${leaseUntil} < ${now + JUDGING.leaseSeconds + 1}\n    order by',
    tests: 'tests/worker/judging/search',
  },
  {
    name: 'a lease that ran out is no hand-back',
    file: 'worker/features/judging/claim-queries.ts',
    from: 'noteHandBacks(db, expired, now)',
    to: 'noteHandBacks(db, sql`false`, now)',
    tests: 'tests/worker/judging/search',
  },
  {
    name: 'the health knows only jobs of the first rank',
    file: 'worker/features/health/queries.ts',
    from: 'from ranks where ranks.rank is not null)',
    to: 'from ranks limit 1)',
    tests: 'tests/worker/health',
  },
]
