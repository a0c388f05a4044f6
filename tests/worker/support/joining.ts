/** Codes of courses for tests of joining. */
import { expect } from 'vitest'
import { call, createCourse, type Answer, type Person } from './world.ts'

/** A course with a code, which joins people. */
export async function createCode(rules: Record<string, unknown> = {}) {
  const world = await createCourse()
  const { course, teacher } = world
  const made = await teacher.post(`/course/${course}/join-codes`, rules)
  expect(made.status, made.message).toBe(200)
  const { id, code }: { id: number; code: string } = made.data
  const path = `/course/${course}`
  return {
    ...world,
    path,
    id,
    code,
    edit: (json: unknown): Promise<Answer> => teacher.patch(`${path}/join-codes/${id}`, json),
    answer: (json: unknown): Promise<Answer> => teacher.patch(`${path}/join-requests`, json),
    joining: async () => (await teacher.get(`${path}/joining`)).data,
    members: async () => (await teacher.get(path)).data,
    join: (as: Person, typed = code): Promise<Answer> => as.post('/join', { code: typed }),
    look: (typed = code): Promise<Answer> => call('POST', '/join/look', { json: { code: typed } }),
  }
}

/** The outcome of a call: its code, or what it answers. */
export function outcome({ status, code, data }: Answer): unknown {
  return status === 200 ? data.state : code
}
