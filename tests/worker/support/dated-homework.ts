/** A homework with a late rule, and submissions of any age and score. */
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { firstValue, runSql } from './sql.ts'
import { createProblem, submit, uniqueName, type Person } from './world.ts'

export const HOUR = 3_600

/** A homework that was due an hour ago and closes in an hour. Each hour begun takes 10 % of late work. */
export async function createDatedHomework(changes: object = {}) {
  const world = await createProblem()
  const now = nowSeconds()
  const form = {
    name: uniqueName('Dated '),
    start: now - 10 * HOUR,
    end: now - HOUR,
    close: now + HOUR,
    lateRule: { kind: 'units', unitMinutes: 60, percent: 10, how: 'multiply', floor: 0 },
    problemIds: [world.problemId],
    ...changes,
  }
  const made = await world.teacher.post('/homework', { ...form, courseName: world.course })
  if (made.status !== 200) throw new Error(`no homework: ${made.message}`)
  const id = String(made.data.id)
  return { ...world, now, form, homeworkId: id, path: `/homework/${id}` }
}

/** A submission that was judged with a score. @param at epoch seconds */
export async function handIn(as: Person, problemId: number, score: number, at: number) {
  const id = await submit(as, problemId)
  await runSql`update submissions set status = 1, score = ${score}, accepted_at = ${at} where id = ${id}`
  await runSql`update problem_results set attempts = json_set(attempts, '$."' || ${id} || '"', json_array(${at}, 1, ${score}))
    where problem_id = ${problemId} and user_id = ${as.id}`
  return id
}

/** A person's mark of a problem, as staff see it; null: none. */
export async function markFor(
  { path, ta, problemId }: { path: string; ta: Person; problemId: number },
  { username }: Person,
): Promise<number | null> {
  const { studentStatus } = (await ta.get(path)).data
  return studentStatus[username]?.[problemId]?.mark ?? null
}

/** The mark that is kept for a person; null: none. */
export const keptFor = (homeworkId: string, { id }: Person) =>
  firstValue<number>`select value from kept_marks where homework_id = ${homeworkId} and user_id = ${id}`

/** Makes a label in a course and gives it to students. @returns its id */
export async function addLabel(
  { course, ta }: { course: string; ta: Person },
  name: string,
  people: readonly Person[],
): Promise<number> {
  const { labels, memberLabels } = (await ta.get(`/course/${course}`)).data
  const made = await ta.put(`/course/${course}/labels`, { labels: [...labels, { id: null, name }] })
  if (made.status !== 200) throw new Error(`no label: ${made.message}`)
  const { id } = made.data.labels.find((label: { name: string }) => label.name === name)
  const members = people.map(({ username }) => ({
    username,
    labels: [...(memberLabels[username] ?? []), id],
  }))
  await ta.patch(`/course/${course}/labels/members`, { members })
  return id
}
