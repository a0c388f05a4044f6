/** A homework in which one program has 80 of 100 points and came three hours late. */
import { homeworkCreated } from '#contract/homeworks'
import { problemCreated } from '#contract/problems'
import { submissionCreated } from '#contract/submissions'
import type { ApiClient } from '../../scripts/api-client.ts'
import { untilJudged } from '../../scripts/demo/fill.ts'
import { sumProblem } from '../../scripts/demo/sum.ts'
import { packTestData } from '../../scripts/demo/test-data-zip.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

/** The sum does not fit into an `int`, so the last subtask fails. */
const EIGHTY_OF_100 =
  '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); }\n'

/**
 * Makes a homework of the demo course that was due three hours ago and takes 10 % off for each late day.
 * @param names of the homework and of its problem
 */
export async function makeLateHomework(
  teacher: ApiClient,
  names: { homework: string; problem: string },
): Promise<{ homeworkId: string; problemId: number }> {
  const { form, cases } = sumProblem()
  const scores = [0, 80, 20]
  const testCase = form.testCase.map((subtask, index) => ({
    ...subtask,
    taskScore: scores[index] ?? 0,
  }))
  const json = { ...form, problemName: names.problem, testCase, course: 'Demo' }
  const { problemId } = await teacher.call('POST', '/problem/manage', problemCreated, { json })
  await teacher.uploadTestData(problemId, await packTestData(cases))
  const now = Math.floor(Date.now() / 1_000)
  const { id } = await teacher.call('POST', '/homework', homeworkCreated, {
    json: {
      courseName: 'Demo',
      name: names.homework,
      start: now - 3 * DAY,
      end: now - 3 * HOUR,
      close: now + 10 * DAY,
      lateRule: { kind: 'units', unitMinutes: 1_440, percent: 10, how: 'multiply' },
      problemIds: [problemId],
    },
  })
  return { homeworkId: id, problemId }
}

/** A student hands in a program with 80 of 100 points: 72 points of such a homework. */
export async function handInLate(student: ApiClient, problemId: number): Promise<void> {
  const json = { problemId, languageType: 0, code: EIGHTY_OF_100 }
  const { submissionId } = await student.call('POST', '/submission', submissionCreated, { json })
  await untilJudged(student, submissionId)
}
