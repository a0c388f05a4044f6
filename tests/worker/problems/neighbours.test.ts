/** A problem's answer about its homeworks, its neighbours and the reader's own tries. */
import { beforeEach, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { emptyQueue, judgeAll } from '../support/judge.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import {
  createProblem,
  problemForm,
  registerRunner,
  submit,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

async function addProblem(as: Person, course: string, form = {}): Promise<number> {
  const json = { course, ...problemForm(form) }
  return (await as.post('/problem/manage', json)).data.problemId
}

/** Adds a homework; `from` and `to` are in seconds from now. */
async function addHomework(
  as: Person,
  courseName: string,
  { name, from, to, problemIds }: { name: string; from: number; to: number; problemIds: number[] },
): Promise<void> {
  const now = nowSeconds()
  const json = { courseName, name, start: now + from, end: now + to, problemIds }
  expect((await as.post('/homework', json)).status).toBe(200)
}

/** The problems before and after a problem, as a person sees them. */
async function beside(as: Person, problemId: number): Promise<(number | null)[]> {
  const { neighbours } = (await as.get(`/problem/${problemId}`)).data
  return [neighbours.previous?.problemId ?? null, neighbours.next?.problemId ?? null]
}

test('outside of homeworks the neighbours are those of the course’s list that the reader may see', async () => {
  const { course, teacher, student, problemId: first } = await createProblem()
  const hidden = await addProblem(teacher, course, { status: 1 })
  const last = await addProblem(teacher, course, { problemName: 'Last' })
  expect(await beside(student, first)).toEqual([null, last])
  expect(await beside(student, last)).toEqual([first, null])
  expect(await beside(teacher, first)).toEqual([null, hidden])
  expect(await beside(teacher, last)).toEqual([hidden, null])
  const { data } = await student.get(`/problem/${first}`)
  expect(data.homeworks).toEqual([])
  expect(data.neighbours.next).toEqual({ problemId: last, problemName: 'Last' })
})

test('in homeworks the running one that is due first counts, and its order; what has not begun only staff see', async () => {
  const { course, teacher, ta, student, problemId: first } = await createProblem()
  const second = await addProblem(teacher, course)
  const third = await addProblem(teacher, course)
  const hidden = await addProblem(teacher, course, { status: 1 })
  const all = [third, hidden, first, second]
  await addHomework(ta, course, { name: 'Over', from: -90, to: -50, problemIds: [first] })
  await addHomework(ta, course, { name: 'Just over', from: -90, to: -40, problemIds: [first] })
  await addHomework(ta, course, { name: 'To come', from: 500, to: 600, problemIds: [first] })
  await addHomework(ta, course, {
    name: 'Due later',
    from: -5,
    to: 900,
    problemIds: [first, third],
  })
  await addHomework(ta, course, { name: 'Due first', from: -5, to: 800, problemIds: all })
  const namesFor = async (as: Person) =>
    (await as.get(`/problem/${first}`)).data.homeworks.map(({ name }: { name: string }) => name)
  const begun = ['Due first', 'Due later', 'Just over', 'Over']
  expect(await namesFor(student)).toEqual(begun)
  expect(await namesFor(ta)).toEqual([...begun, 'To come'])
  expect(await beside(student, first)).toEqual([third, second])
  expect(await beside(ta, first)).toEqual([hidden, second])
  expect(await beside(student, third)).toEqual([null, first])
})

test('a problem says whether its reader has solved it, not what others did', async () => {
  const { course, ta, student, problemId } = await createProblem()
  const token = await registerRunner()
  const own = async (as: Person) => {
    const [one, list] = [
      (await as.get(`/problem/${problemId}`)).data,
      (await as.get(`/problem?course=${course}`)).data.items[0],
    ]
    expect(list).toMatchObject({ solved: one.solved, submitCount: one.submitCount })
    return [one.submitCount, one.solved]
  }
  expect(await own(student)).toEqual([0, false])
  await submit(student, problemId)
  await judgeAll(token, STATUS.WA)
  expect(await own(student)).toEqual([1, false])
  await submit(student, problemId)
  await judgeAll(token)
  await submit(student, problemId)
  await judgeAll(token, STATUS.CE)
  expect(await own(student)).toEqual([3, true])
  expect(await own(ta)).toEqual([0, false])
})

test('a homework names the problems that it shows', async () => {
  const { course, teacher, student, problemId } = await createProblem()
  const hidden = await addProblem(teacher, course, { status: 1, problemName: 'Hidden' })
  const problemIds = [hidden, problemId]
  await addHomework(teacher, course, { name: 'H', from: -5, to: 900, problemIds })
  const visible = { problemId, problemName: 'A plus B' }
  expect((await student.get('/homework')).data[0].problems).toEqual([visible])
  const [seen] = (await teacher.get(`/course/${course}/homework`)).data
  expect(seen.problems).toEqual([{ problemId: hidden, problemName: 'Hidden' }, visible])
})

test('a problem reads as much in a long course as in a short one', async () => {
  const { course, teacher, student, problemId } = await createProblem()
  const problemIds = [problemId, await addProblem(teacher, course)]
  await addHomework(teacher, course, { name: 'H', from: -5, to: 900, problemIds })
  const rows = async (as: Person) => {
    const { trips } = await recordCall('GET', `/problem/${problemId}`, { as })
    return trips.reduce((sum, trip) => sum + trip.rowsRead, 0)
  }
  const addOthers = async (from: number, to: number) => {
    for (let count = from; count < to; count += 1) {
      const id = await addProblem(teacher, course)
      const name = `Other ${count}`
      await addHomework(teacher, course, { name, from: -5, to: 800, problemIds: [id] })
    }
  }
  await addOthers(0, 2)
  const before = [await rows(student), await rows(teacher)]
  await addOthers(2, 20)
  expect([await rows(student), await rows(teacher)]).toEqual(before)
})
