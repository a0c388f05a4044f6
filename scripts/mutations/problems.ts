/** Faults of uploads and of what the sweeper deletes. */
import type { Mutation } from './mutation.ts'

export const PROBLEMS: readonly Mutation[] = [
  {
    name: 'a part of an upload has any size',
    file: 'worker/features/problems/test-data.ts',
    from: 'if (expected <= 0 || Number(body.length) !== expected)',
    to: 'if (expected <= 0)',
    tests: 'tests/worker/problems/test-data.test.ts',
  },
  {
    name: 'an upload is complete with a part missing',
    file: 'worker/features/problems/test-data.ts',
    from: 'sorted.length !== count || ',
    to: '',
    tests: 'tests/worker/problems/test-data.test.ts',
  },
  {
    name: 'the sweeper deletes in a bucket of another installation',
    file: 'worker/features/storage/installation.ts',
    from: 'const isOurs = own !== null && own === there',
    to: 'const isOurs = own !== null',
    tests: 'tests/worker/storage/storage.test.ts',
  },
  {
    name: 'the sweeper deletes a page of orphans without asking',
    file: 'worker/features/storage/installation.ts',
    from: 'return confirmedAt !== null && confirmedAt <= now && now < confirmedAt + SWEEP.confirmedSeconds',
    to: 'return confirmedAt === null || now < confirmedAt + SWEEP.confirmedSeconds',
    tests: 'tests/worker/storage/storage.test.ts',
  },
  {
    name: 'an upload is completed for another problem',
    file: 'worker/features/problems/test-data-queries.ts',
    from: 'and(eq(testDataUploads.id, uploadId), eq(testDataUploads.problemId, problemId))',
    to: 'eq(testDataUploads.id, uploadId)',
    tests: 'tests/worker/problems/test-data.test.ts',
  },
  {
    name: 'a zip that does not fit the subtasks becomes active',
    file: 'worker/features/problems/test-data-queries.ts',
    from: 'isStored, fitsSubtasks(data))',
    to: 'isStored)',
    tests: 'tests/worker/problems/test-data.test.ts',
  },
  {
    name: 'a zip with bad entries becomes active',
    file: 'worker/features/problems/test-data.ts',
    from: 'errors.length > 0 ? errors : checkCaseCounts',
    to: 'errors.length > 999 ? errors : checkCaseCounts',
    tests: 'tests/worker/problems/test-data.test.ts',
  },
  {
    name: 'a zip of another number of cases becomes active',
    file: 'worker/features/problems/test-data.ts',
    from: ': checkCaseCounts(caseCounts, expected)',
    to: ': []',
    tests: 'tests/worker/problems/test-data.test.ts',
  },
  {
    name: 'an upload has any size',
    file: 'worker/features/problems/test-data.ts',
    from: 'if (size.length > TEST_DATA_LIMITS.zipBytes)',
    to: 'if (size.length > TEST_DATA_LIMITS.zipBytes * 9)',
    tests: 'tests/worker/problems/test-data.test.ts',
  },
]
