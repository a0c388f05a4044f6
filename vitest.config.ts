import { fileURLToPath } from 'node:url'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))

/** One project per place where code runs; `--project` picks one. */
export default defineConfig({
  test: {
    projects: [
      {
        test: { name: 'contract', include: ['tests/contract/**/*.test.ts'], environment: 'node' },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              // Tests deliver the messages of the task queue themselves: a batch waits longer than they run.
              queueConsumers: { 'coursejudge-tasks': { maxBatchSize: 100, maxBatchTimeout: 60 } },
              bindings: {
                TEST_MIGRATIONS: await readD1Migrations(`${root}migrations`),
                RUNNER_REGISTRATION_TOKEN: 'registration-token-of-the-tests',
                MAIL_DRIVER: 'log',
                WEB_ORIGIN: 'https://judge.test',
              },
            },
          }),
        ],
        test: {
          name: 'worker',
          include: ['tests/worker/**/*.test.ts'],
          setupFiles: ['tests/worker/setup.ts'],
          // A busy machine is slow, not wrong.
          testTimeout: 60_000,
          isolate: false,
        },
      },
      {
        test: { name: 'web', include: ['tests/web/**/*.test.{ts,tsx}'], environment: 'node' },
      },
      {
        test: {
          name: 'runner',
          // Limits are measured in time: nothing else runs beside these.
          sequence: { groupOrder: 1 },
          include: ['tests/runner/**/*.test.ts'],
          environment: 'node',
          fileParallelism: false,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'e2e',
          sequence: { groupOrder: 2 },
          include: ['tests/e2e/**/*.test.ts'],
          environment: 'node',
          // Journeys wait more than they work; each file has a judge of its own.
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
