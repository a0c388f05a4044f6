/** Vitest's settings for `npm run mutants:rules`: the tests of pure rules run in Node, where Stryker can switch mutants on. */
import { defineConfig } from 'vitest/config'
import { TEST_MS } from '../test/patience.ts'

export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: TEST_MS,
    // This test needs a database.
    exclude: ['tests/worker/lib/sweep-cursors.test.ts'],
    include: [
      'tests/contract/{calls,dates-examples,fields,homework-dates,languages,long-input,refused-lists,roles,settings}.test.ts',
      'tests/contract/{small-rules,judging-*,problems-*}.test.ts',
      'tests/runner/{compare/modes,compare/compare,compile/message,judge/verdict,judge/run-limits,lib/backoff}.test.ts',
      'tests/web/{homeworks-scoreboard,problems-form}.test.ts',
      'tests/worker/api/pure-rules.test.ts',
      'tests/worker/auth/password-strength.test.ts',
      'tests/worker/lib/*.test.ts',
    ],
  },
})
