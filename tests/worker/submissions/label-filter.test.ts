/** Lists, statistics and the scoreboard of the people with a label. */
import { expect, test } from 'vitest'
import { COUNT_LIMITS } from '#contract/limits'
import { newHexId } from '../../../worker/lib/ids.ts'
import { firstValue, runSql } from '../support/sql.ts'
import { addStudents, createProblem, submit, type Person } from '../support/world.ts'

/** A course with two students, of whom one has a label. */
async function createLabelled() {
  const world = await createProblem()
  const [other] = await addStudents(world, 1)
  if (!other) throw new Error('no student')
  const courseId = Number(await firstValue`select id from courses where name = ${world.course}`)
  await runSql`insert into labels (course_id, name) values (${courseId}, 'Lab 1')`
  const label = Number(await firstValue`select id from labels where course_id = ${courseId}`)
  await runSql`insert into member_labels (course_id, user_id, label_id) values (${courseId}, ${world.student.id}, ${label})`
  return { ...world, other, courseId, label }
}

const listOf = async (as: Person, query: string) => {
  const { data } = await as.get(`/submission?${query}`)
  return data.submissions.map(({ submissionId }: { submissionId: string }) => submissionId)
}

test('submissions of a course or a problem are those of the label’s people, in every further filter', async () => {
  const { course, teacher, student, other, problemId, label } = await createLabelled()
  const ids: string[] = []
  for (const [as, language] of [
    [student, 0],
    [other, 0],
    [student, 2],
    [student, 0],
  ] as const)
    ids.unshift(await submit(as, problemId, 'x', language))
  const [newest, second, , oldest] = ids
  for (const scope of [
    `course=${course}`,
    `problemId=${problemId}`,
    `course=${course}&problemId=${problemId}`,
  ]) {
    const path = `${scope}&label=${label}`
    expect(await listOf(teacher, path)).toEqual([newest, second, oldest])
    expect(await listOf(teacher, `${path}&languageType=0`)).toEqual([newest, oldest])
    expect(await listOf(teacher, `${path}&status=-1`)).toEqual([newest, second, oldest])
    expect(await listOf(teacher, `${path}&status=0`)).toEqual([])
    expect(await listOf(teacher, `${path}&username=${student.username}`)).toHaveLength(3)
    expect(await listOf(teacher, `${path}&username=${other.username}`)).toEqual([])
    expect(await listOf(teacher, `${path}&offset=1&count=1`)).toEqual([second])
    expect(await listOf(teacher, `${scope}&label=999999`)).toEqual([])
    const first = (await teacher.get(`/submission?${path}&limit=2`)).data
    expect(first.submissions).toHaveLength(2)
    expect(await listOf(teacher, `${path}&limit=2&cursor=${first.next}`)).toEqual([oldest])
  }
})

test('another course’s label chooses nobody, not even people of both courses', async () => {
  const { teacher, label, student } = await createLabelled()
  const elsewhere = await createProblem()
  await elsewhere.teacher.patch(`/course/${elsewhere.course}/members`, {
    add: [
      { user: student.username, role: 'student' },
      { user: teacher.username, role: 'ta' },
    ],
  })
  await submit(student, elsewhere.problemId)
  expect(await listOf(teacher, `course=${elsewhere.course}`)).toHaveLength(1)
  expect(await listOf(teacher, `course=${elsewhere.course}&label=${label}`)).toEqual([])
  const board = await teacher.get(`/course/${elsewhere.course}/scoreboard?label=${label}`)
  expect(board.data).toEqual([])
  const { data } = await teacher.get(`/problem/${elsewhere.problemId}/stats?label=${label}`)
  expect(data).toMatchObject({ acUserRatio: [0, 0], triedUserCount: 0 })
})

test('a page that has looked through the newest says so, and the next one finds what is behind', async () => {
  const { course, teacher, student, other, problemId, courseId, label } = await createLabelled()
  const mine = await submit(student, problemId)
  const start = Date.now() + 1_000
  const ids = Array.from({ length: COUNT_LIMITS.filteredSubmissions }, (_, at) =>
    newHexId(start + at),
  )
  await runSql`insert into submissions (id, problem_id, course_id, user_id, language_type, status, score, quota_used, ip, created_at)
    select value, ${problemId}, ${courseId}, ${other.id}, 0, 0, 0, 0, '', 1 from json_each(${JSON.stringify(ids)})`
  for (const scope of [`course=${course}`, `problemId=${problemId}`]) {
    const { data } = await teacher.get(`/submission?${scope}&label=${label}`)
    expect(data).toMatchObject({ submissions: [], searchedTo: Math.floor(start / 1000) })
    const next = await teacher.get(`/submission?${scope}&label=${label}&cursor=${data.next}`)
    expect(next.data).toMatchObject({ submissions: [{ submissionId: mine }], next: null })
    expect(next.data).not.toHaveProperty('searchedTo')
  }
})

test('questions, statistics and the scoreboard are those of the label’s people', async () => {
  const { course, teacher, ta, student, other, problemId, label } = await createLabelled()
  for (const person of [student, other]) {
    await person.post(`/problem/${problemId}/questions`, { markdown: person.username })
    const id = await submit(person, problemId)
    await runSql`update submissions set status = 0, score = 100, run_time_ms = 1, memory_kb = 1 where id = ${id}`
    await runSql`update problem_results set scored = 1, best_score = 100, worst_score = 100, score_sum = 100,
      attempts = json_object(${id}, json('[1,0,100]')) where user_id = ${person.id}`
  }
  const asked = async (query: string) => {
    const { items } = (await ta.get(`/course/${course}/questions?${query}`)).data
    return items.map((item: { student: { username: string } }) => item.student.username)
  }
  expect(await asked('')).toEqual([student.username, other.username])
  expect(await asked(`label=${label}`)).toEqual([student.username])
  expect(await asked(`label=${label}&problemId=${problemId}`)).toEqual([student.username])
  expect(await asked('label=999999')).toEqual([])
  await ta.get(`/course/${course}/questions`)
  const stats = async (query: string) => (await ta.get(`/problem/${problemId}/stats${query}`)).data
  expect(await stats('')).toMatchObject({ acUserRatio: [expect.any(Number), 2], triedUserCount: 2 })
  expect(await stats(`?label=${label}`)).toMatchObject({
    acUserRatio: [expect.any(Number), 1],
    triedUserCount: 1,
    scoreDistribution: [100],
  })
  const board = async (query: string) => {
    const { data } = await teacher.get(`/course/${course}/scoreboard?${query}`)
    return data.map(({ user, sum }: { user: { username: string }; sum: number }) => [
      user.username,
      sum,
    ])
  }
  expect(await board('')).toHaveLength(2)
  for (const time of ['', '&start=1&end=9999999999'])
    expect(await board(`label=${label}${time}`)).toEqual([[student.username, 100]])
})

test('a student who filters by label is refused', async () => {
  const { course, student, problemId, label } = await createLabelled()
  for (const path of [
    `/submission?course=${course}&label=${label}`,
    `/submission?problemId=${problemId}&label=${label}`,
    `/submission?label=${label}`,
    `/course/${course}/questions?label=${label}`,
    `/problem/${problemId}/stats?label=${label}`,
    `/course/${course}/scoreboard?label=${label}`,
  ])
    expect(await student.get(path), path).toMatchObject({ status: 403, code: 'forbidden' })
})
