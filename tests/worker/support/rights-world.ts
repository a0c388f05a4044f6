/** The setting for trials of rights: a course with one thing of each kind that a right opens, and calls that prepare nothing in advance. */
import type { Standing } from '#contract/roles'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { claim, judgeAll } from './judge.ts'
import { UNLIMITED } from './rates.ts'
import { recordCall } from './round-trips-recorder.ts'
import { firstValue } from './sql.ts'
import {
  addMember,
  createCourse,
  createPerson,
  createProblem,
  problemForm,
  registerRunner,
  submit,
  uniqueName,
  type Person,
} from './world.ts'

/** All people and things of the trials. */
export type RightsWorld = Awaited<ReturnType<typeof createRightsWorld>>

/** A call that builds its statements anew, so that they follow the table of rights as it is now. */
export async function ask(
  as: Person,
  method: string,
  path: string,
  json?: unknown,
  headers?: Record<string, string>,
) {
  // The trials read too often for the rates; limits on handing in are part of a trial.
  const bindings = method === 'GET' ? UNLIMITED : undefined
  const options = { as, json, headers }
  const { status, text, headers: given } = await recordCall(method, path, options, bindings)
  const tag = given.get('ETag') ?? ''
  return { status, text, tag, data: text === '' ? null : JSON.parse(text).data }
}

/** Another course of the same people, with one more student. */
async function addCourse({ teacher, ta, student }: Record<'teacher' | 'ta' | 'student', Person>) {
  const course = uniqueName('Other ')
  await teacher.post('/course', { course, teacher: teacher.username })
  const known = await createPerson(2)
  for (const [person, role] of [
    [ta, 'ta'],
    [student, 'student'],
    [known, 'student'],
  ] as const)
    await addMember({ course, teacher }, person, role)
  return { course, known }
}

/** Makes the setting. A person without a part in it is no member of the course. */
export async function createRightsWorld() {
  const made = await createProblem()
  const { course, teacher, ta, student, problemId } = made
  const { student: other } = await createCourse()
  await addMember(made, other)
  const createFurther = async (changes: object) => {
    const answer = await teacher.post('/problem/manage', { course, ...problemForm(), ...changes })
    return Number(answer.data.problemId)
  }
  const hidden = await createFurther({ status: 1 })
  const heldBack = await createFurther({})
  const createHomework = async (start: number, problemIds: number[]) => {
    const name = uniqueName('Homework ')
    const times = { start, end: start + 10_000 }
    const board = { scoreboardStatus: 0, scoreboardNames: true }
    const form = { name, courseName: course, ...times, ...board, problemIds }
    return String((await teacher.post('/homework', form)).data.id)
  }
  const now = nowSeconds()
  const running = await createHomework(now - 100, [problemId, hidden])
  const coming = await createHomework(now + 5_000, [problemId, heldBack])
  const token = await registerRunner()
  for (const person of [student, ta]) await submit(person, problemId)
  await judgeAll(token)
  const pending = await submit(other, problemId)
  const own = await submit(student, problemId)
  // Both are being judged from now on; in the queue, their position would be looked up every few seconds.
  for (const _ of [pending, own]) await claim(token)
  const question = await other.post(`/problem/${problemId}/questions`, { markdown: 'Why?' })
  const people: Partial<Record<Standing, Person>> = { teacher, ta, student, instructor: teacher }
  return {
    ...made,
    admin: await createPerson(0),
    other,
    courseId: Number(await firstValue`select id from courses where name = ${course}`),
    problems: { visible: problemId, hidden, heldBack },
    homeworks: { running, coming },
    submissions: { pending, own },
    questionId: String(question.data.questionId),
    further: await addCourse(made),
    deleted: await addCourse(made),
    personWith(standing: Standing): Person {
      const person = people[standing]
      if (!person) throw new Error(`nobody has the standing ${standing}`)
      return person
    },
  }
}
