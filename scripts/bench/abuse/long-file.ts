/** Somebody reads a page beside a teacher's dry run of a long CSV file, each row of which has a password to be judged. */
import type { Installation } from '../installation.ts'
import type { Report } from '../report.ts'
import { send } from '../send.ts'
import type { BenchStack } from '../stack.ts'
import { reportBeside } from './beside.ts'

const ROWS = 500

export async function longFile(
  stack: BenchStack,
  { teacher, student, course }: Installation,
  report: Report,
): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, row) => `n-${row},words of ${row},n${row}@x.test`)
  const newUsers = ['username,password,email', ...rows].join('\n')
  await reportBeside(stack, report, {
    what: `GET /problem beside a dry run of ${ROWS} rows`,
    honest: () => send(stack, { path: `/api/problem?course=${course}`, cookie: student }),
    burst: () =>
      send(stack, {
        path: '/api/auth/batch-signup',
        cookie: teacher,
        method: 'POST',
        json: { newUsers, course, dryRun: true },
      }),
  })
}
