/** A common beginning for tests of questions. */
import { expect } from 'vitest'
import { createProblem, submit, type Person } from './world.ts'

/** A program of three lines. */
export const CODE = 'int main(){\n  return 0;\n}'

/** A submission of three lines, and calls about its questions. */
export async function createAsked() {
  const world = await createProblem()
  const submissionId = await submit(world.student, world.problemId, CODE)
  const path = `/submission/${submissionId}/questions`
  return {
    ...world,
    submissionId,
    path,
    ask: (as: Person, markdown = 'Why?', line = 2) => as.post(path, { markdown, line }),
    threads: async (as: Person) => (await as.get(path)).data,
    /** The number on the badge, on the home page and in the course. */
    badge: async (as: Person) => {
      const { data } = await as.get(`/course/${world.course}`)
      const item = (await as.get('/course')).data.find(
        ({ course }: { course: string }) => course === world.course,
      )
      expect(item.waitingQuestions).toBe(data.waitingQuestions)
      return data.waitingQuestions
    },
  }
}
