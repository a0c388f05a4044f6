import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { configDefaults, defineConfig } from 'vitest/config'
import { answerOutside } from './scripts/test/outside.ts'
import { PATIENCE_MS, TEST_MS } from './scripts/test/patience.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** The tests that a mode leaves out: `quick` (`npm run check`) those that take seconds, every mode but `full` those that take minutes. */
function excludeIn(mode: string): string[] {
  const slow = { quick: ['**/*.{long,full}.test.ts'], full: [] }[mode] ?? ['**/*.full.test.ts']
  return [...configDefaults.exclude, ...slow]
}

/** Tests without a stack take seconds: so a test that hangs is named long before a whole run's time is over. */
const quick = { testTimeout: PATIENCE_MS }

/** A slow machine is no fault: no test waits less than this before it calls something stuck. */
const patience = {
  testTimeout: TEST_MS,
  hookTimeout: TEST_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
}

/** One project for each place where code runs; `--project` chooses one. */
export default defineConfig(async ({ mode }) => ({
  test: {
    projects: [
      {
        test: {
          name: 'contract',
          ...patience,
          ...quick,
          include: ['tests/contract/**/*.test.ts'],
          exclude: excludeIn(mode),
          environment: 'node',
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              // Tests deliver the messages of the step queue themselves: a sent message waits for longer than any test runs.
              queueProducers: {
                STEP_QUEUE: { queueName: 'coursejudge-steps', deliveryDelay: 86_400 },
              },
              // Webhooks and mails of the tests go here.
              outboundService: answerOutside,
              // Databases that tests use in place of the real one.
              d1Databases: [
                'EMPTY_DB',
                'ANOTHERS_DB',
                'OLDER_DB',
                'YESTERDAYS_DB',
                'UNMIGRATED_DB',
              ],
              bindings: {
                TEST_MIGRATIONS: await readD1Migrations(`${root}migrations`),
                RUNNER_REGISTRATION_TOKEN: 'registration-token-of-the-tests',
                METRICS_TOKEN: 'metrics-token-of-the-tests',
                MAIL_DRIVER: 'log',
                ALARM_EMAIL: 'operator@example.test',
                WEB_ORIGIN: 'https://judge.test',
              },
            },
          }),
        ],
        test: {
          name: 'worker',
          ...patience,
          ...quick,
          include: ['tests/worker/**/*.test.ts'],
          exclude: excludeIn(mode),
          setupFiles: ['tests/worker/support/setup.ts'],
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'web',
          ...patience,
          ...quick,
          include: ['tests/web/**/*.test.{ts,tsx}'],
          setupFiles: ['tests/web/fixtures/set-up.ts'],
          environment: 'node',
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'runner',
          ...patience,
          // This project runs after those above, because sandboxes need whole processors. Only full tests check times, one file at a time.
          sequence: { groupOrder: 1 },
          globalSetup: ['tests/runner/set-up.ts'],
          include: ['tests/runner/**/*.test.ts'],
          exclude: excludeIn(mode),
          environment: 'node',
          maxWorkers: mode === 'full' ? 1 : Math.min(2, availableParallelism()),
          maxConcurrency: availableParallelism() > 1 ? 3 : 1,
        },
      },
      {
        test: {
          name: 'deploy',
          ...patience,
          include: ['tests/deploy/**/*.test.ts'],
          exclude: excludeIn(mode),
          environment: 'node',
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'e2e',
          ...patience,
          sequence: { groupOrder: 2 },
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/support/template.ts'],
          exclude: excludeIn(mode),
          environment: 'node',
          // End-to-end tests wait more than they work, but each has a judge host, which hands jobs back when it gets no processor.
          maxWorkers: Math.min(2, availableParallelism()),
        },
      },
      {
        test: {
          name: 'faults',
          ...patience,
          // This project runs alone: each file has a stack and two runners.
          sequence: { groupOrder: 3 },
          include: ['tests/faults/**/*.test.ts'],
          globalSetup: ['tests/support/template.ts', 'tests/runner/set-up.ts'],
          exclude: excludeIn(mode),
          environment: 'node',
          maxWorkers: Math.min(2, availableParallelism()),
        },
      },
    ],
  },
}))
