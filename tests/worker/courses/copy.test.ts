/** A course comes back: what its copy has, what stays behind, how it is undone, and that the copy stands alone. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { deleteOrphans } from '../../../worker/background/stored-objects.ts'
import { openDb } from '../../../worker/db/client.ts'
import { SWEEP } from '../../../worker/db/retention.ts'
import {
  COURSE_PURGE_SECONDS,
  purgeCourses,
} from '../../../worker/features/courses/purge-queries.ts'
import { adoptBucket } from '../../../worker/features/storage/installation.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { insertOverride } from '../support/dates.ts'
import { countedTrips } from '../support/round-trips.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { allRows, firstRow, firstValue, numbersBelow, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import {
  addMember,
  call,
  createPeople,
  createPerson,
  createProblem,
  fetchApi,
  problemForm,
  submit,
  uniqueName,
  type Person,
} from '../support/world.ts'

const PNG = Uint8Array.from('\x89PNG\r\n\x1a\nbytes', (letter) => letter.charCodeAt(0))

/** A course with one problem, one of a homework that is hidden, and the address that copies it. */
async function createSource() {
  const world = await createProblem()
  const { course, teacher, problemId } = world
  const hidden = problemForm({ problemName: 'Hidden', status: 1, quota: 7, tags: ['graph'] })
  const { data } = await teacher.post('/problem/manage', { course, ...hidden })
  const now = nowSeconds()
  const homework = {
    name: 'Week 1',
    courseName: course,
    markdown: 'Read first.',
    start: now - 1000,
    end: now - 100,
    graceMinutes: 5,
    lateRule: { kind: 'units', unitMinutes: 60, percent: 10, how: 'cap', floor: 0 },
    counts: 'last',
    problemIds: [data.problemId, problemId],
    points: [20, 30],
    scoreboardStatus: 0,
    scoreboardNames: true,
  }
  const made = await teacher.post('/homework', homework)
  return {
    ...world,
    hiddenId: Number(data.problemId),
    homeworkId: String(made.data.id),
    homework,
    path: `/course/${course}/copy`,
    copy: uniqueName('Copy '),
    dates: { start: now + 10_000, end: now + 20_000, close: now + 30_000 },
  }
}

/** Makes a copy; throws if the call fails. */
async function copied(as: Person, path: string, json: object) {
  const answer = await as.post(path, json)
  if (answer.status !== 200) throw new Error(`no copy: ${answer.message}`)
  return answer.data
}

test('problems, homeworks, announcements and settings come along; people and work stay behind', async () => {
  const { course, teacher, student, problemId, path, copy, homeworkId, homework, dates } =
    await createSource()
  await submit(student, problemId)
  await runSql`update courses set time_zone = 'Asia/Taipei', counts = 'last' where name = ${course}`
  for (const title of ['First', 'Second', 'Gone'])
    await teacher.post('/ann', { title, markdown: 'M', courseName: course, pinned: true })
  await runSql`update announcements set deleted_at = 1 where title = 'Gone'`
  const deleted = await teacher.post('/problem/manage', { course, ...problemForm() })
  await teacher.delete(`/problem/manage/${deleted.data.problemId}`)
  const json = { course: copy, homeworks: [{ id: homeworkId, ...dates }] }
  expect(await copied(teacher, path, json)).toEqual({
    course: copy,
    problems: 2,
    homeworks: 1,
    announcements: 2,
  })
  const read = await teacher.get(`/course/${copy}`)
  expect(read.data).toMatchObject({
    teacher: { username: teacher.username },
    TAs: [],
    students: [],
    timeZone: 'Asia/Taipei',
    counts: 'last',
    closedAt: null,
    copiedFrom: course,
  })
  const problems = (await teacher.get(`/problem?course=${copy}`)).data.items
  expect(problems.map((each: { problemName: string }) => each.problemName)).toEqual([
    'A plus B',
    'Hidden',
  ])
  const [visible, hidden] = problems.map((each: { problemId: number }) => each.problemId)
  expect((await teacher.get(`/problem/manage/${hidden}`)).data).toMatchObject({
    ...problemForm({ problemName: 'Hidden', status: 1, quota: 7, tags: ['graph'] }),
    owner: teacher.username,
    testDataVersion: null,
  })
  const [list] = (await teacher.get(`/course/${copy}/homework`)).data
  const { courseName: _, lateRule, ...same } = homework
  expect(list).toMatchObject({
    ...same,
    ...dates,
    lateRule,
    problemIds: [hidden, visible],
    studentStatus: {},
  })
  const announcements = (await teacher.get(`/course/${copy}/ann`)).data
  expect(announcements).toMatchObject([
    { title: 'Second', pinned: true, creator: { username: teacher.username } },
    { title: 'First' },
  ])
  const first = await teacher.get(`/ann/${copy}/${announcements[1].annId}`)
  expect(first.data).toMatchObject({ title: 'First', markdown: 'M' })
  expect(
    await firstValue`select count(*) from submissions s join courses c on c.id = s.course_id
    where c.name = ${copy}`,
  ).toBe(0)
  const audit = await firstRow`select action, detail from audit_entries where subject = ${copy}`
  expect(audit).toEqual({ action: 'course.copy', detail: JSON.stringify({ from: course }) })
})

test('labels come along with their rules and new dates, late days with their homeworks', async () => {
  const { course, teacher, student, path, copy, homeworkId, dates } = await createSource()
  const courseId = await firstValue<number>`select id from courses where name = ${course}`
  await runSql`insert into labels (course_id, name, shown) values (${courseId}, 'Lab A', 1), (${courseId}, 'Lab B', 0)`
  await runSql`insert into late_day_budgets (course_id, name, size, most_each, spending, moves_closing)
    values (${courseId}, 'Other', 1, 1, 'auto', 0), (${courseId}, 'Slip days', 5, 2, 'asked', 1)`
  await runSql`update homeworks set budget_id = (select max(id) from late_day_budgets) where id = ${homeworkId}`
  const [labA, labB] = await allRows<{ id: number }>`select id from labels order by id`
  await runSql`insert into member_labels (course_id, user_id, label_id) values (${courseId}, ${student.id}, ${labA?.id})`
  await runSql`insert into homework_overrides (homework_id, label_id, due, quota, reason, setter_id, set_at)
    values (${homeworkId}, ${labA?.id}, 5, 9, 'slow', ${student.id}, 1)`
  await insertOverride(homeworkId, student, teacher, { due: 9_999_999_999 })
  await insertOverride(homeworkId, null, teacher, { due: 9_999_999_999 })
  const labels = [
    { label: labA?.id, opens: null, due: dates.end + 60, closes: null },
    { label: labB?.id, opens: null, due: null, closes: null },
  ]
  const json = { course: copy, homeworks: [{ id: homeworkId, ...dates, labels }] }
  await copied(teacher, path, json)
  expect(
    await allRows`select l.name, l.shown from labels l join courses c on c.id = l.course_id
    where c.name = ${copy} order by l.id`,
  ).toEqual([
    { name: 'Lab A', shown: 1 },
    { name: 'Lab B', shown: 0 },
  ])
  expect(
    await allRows`select b.name, b.size, b.most_each, b.spending, b.moves_closing from homeworks h
    join courses c on c.id = h.course_id and c.name = ${copy}
    join late_day_budgets b on b.id = h.budget_id and b.course_id = c.id`,
  ).toEqual([{ name: 'Slip days', size: 5, most_each: 2, spending: 'asked', moves_closing: 1 }])
  expect(
    await allRows`select l.name, o.user_id, o.due, o.closes, o.quota, o.reason, o.setter_id from homework_overrides o
    join homeworks h on h.id = o.homework_id join courses c on c.id = h.course_id and c.name = ${copy}
    left join labels l on l.id = o.label_id and l.course_id = c.id`,
  ).toEqual([
    {
      name: 'Lab A',
      user_id: null,
      due: dates.end + 60,
      closes: null,
      quota: 9,
      reason: 'slow',
      setter_id: teacher.id,
    },
  ])
  expect(await firstValue`select count(*) from member_labels`).toBe(1)
})

test('teachers of the course copy it, and only they', async () => {
  const { course, teacher, ta, student, path, copy } = await createSource()
  const [admin, stranger] = await createPeople(0, 1)
  const json = { course: copy }
  expect((await ta.post(path, json)).code).toBe('forbidden')
  expect((await student.post(path, json)).code).toBe('forbidden')
  expect((await stranger.post(path, json)).code).toBe('course_not_found')
  expect((await admin.post('/course/Public/copy', json)).code).toBe('forbidden')
  await runSql`update users set email_confirmed_at = null where id = ${teacher.id}`
  expect((await teacher.post(path, json)).code).toBe('email_unconfirmed')
  await runSql`update users set email_confirmed_at = 1, role = 2 where id = ${teacher.id}`
  expect((await teacher.post(path, json)).code).toBe('course_not_found')
  expect((await copied(admin, path, json)).problems).toBe(2)
  const read = await admin.get(`/course/${copy}`)
  expect(read.data.teacher.username).toBe(admin.username)
  expect((await admin.get(`/course/${course}`)).data.closedAt).toBeNull()
})

test('a refused copy writes nothing and names the fault', async () => {
  const { course, teacher, path, copy, homeworkId, dates } = await createSource()
  const other = await createSource()
  const post = (json: object) => teacher.post(path, { course: copy, ...json })
  const row = { id: homeworkId, ...dates }
  expect((await post({ course })).code).toBe('course_exists')
  expect((await post({ course: 'a/b' })).data[0].path).toEqual(['course'])
  expect((await post({ timeZone: 'Mars/Base' })).data[0].path).toEqual(['timeZone'])
  const foreign = { ...row, id: other.homeworkId }
  expect((await post({ homeworks: [row, foreign] })).code).toBe('homework_not_found')
  expect((await post({ homeworks: [row, row] })).code).toBe('homework_not_found')
  const early = { ...row, end: row.start - 1 }
  expect((await post({ homeworks: [early] })).data).toMatchObject([
    { path: ['homeworks', 0, 'end'], code: 'min_value', params: { min: row.start } },
  ])
  const label = { label: 99_999, opens: null, due: null, closes: null }
  const withLabels = (...labels: object[]) => post({ homeworks: [{ ...row, labels }] })
  expect((await withLabels(label)).code).toBe('label_not_found')
  expect((await withLabels(label, label)).data[0].path).toEqual(['homeworks', 0, 'labels'])
  expect((await withLabels({ ...label, due: row.start - 1 })).data).toMatchObject([
    { path: ['homeworks', 0, 'labels', 0, 'due'], params: { min: row.start } },
  ])
  expect((await withLabels({ ...label, closes: row.end - 1 })).data).toMatchObject([
    { path: ['homeworks', 0, 'labels', 0, 'closes'], params: { min: row.end } },
  ])
  expect((await teacher.get(`/course/${copy}`)).code).toBe('course_not_found')
  const twice = await Promise.all([post({ homeworks: [row] }), post({ homeworks: [row] })])
  expect(twice.map(({ code }) => code).toSorted()).toEqual(['course_exists', undefined])
})

test('the copy closes the old course if asked', async () => {
  const { course, teacher, student, path, copy } = await createSource()
  await copied(teacher, path, { course: copy, closeOld: true, timeZone: 'Europe/Berlin' })
  expect((await student.get(`/course/${course}`)).data.closedAt).toBeGreaterThan(0)
  expect((await teacher.get('/course')).data).toMatchObject([{ course: copy }])
  expect((await teacher.get(`/course/${copy}`)).data.timeZone).toBe('Europe/Berlin')
  const audit = firstValue`select detail from audit_entries where subject = ${course} and action = 'course.edit'`
  expect(await audit).toBe('{"closed":true}')
  const second = uniqueName('Copy ')
  await copied(teacher, path, { course: second })
  expect((await teacher.get(`/course/${second}`)).data.closedAt).toBeNull()
})

test('deleting the copy undoes it: its name is free at once while nobody has joined', async () => {
  const { course, teacher, path, copy } = await createSource()
  await copied(teacher, path, { course: copy })
  expect((await teacher.delete('/course', { course: copy })).status).toBe(200)
  await copied(teacher, path, { course: copy })
  // The first copy can still be restored under the name that it has now.
  const [undone] = (await teacher.get('/course?deleted=true')).data
  const restored = `/course/${encodeURIComponent(undone.course)}`
  expect((await teacher.post(`${restored}/restore`)).data).toEqual({ course: undone.course })
  expect((await teacher.get(restored)).data.copiedFrom).toBe(course)
  await addMember({ course: copy, teacher }, await createPerson(2))
  await teacher.delete('/course', { course: copy })
  expect((await teacher.post(path, { course: copy })).code).toBe('course_exists')
  expect((await teacher.post(`/course/${copy}/restore`)).status).toBe(200)
})

test('a deleted course with work and no members keeps its name', async () => {
  const { course, teacher, problemId } = await createProblem()
  await submit(teacher, problemId)
  await teacher.put(`/course/${course}`, { TAs: [], students: [] })
  await teacher.delete('/course', { course })
  const again = await teacher.post('/course', { course, teacher: teacher.username })
  expect(again.code).toBe('course_exists')
})

test('each copy has the test data and files of its own problem, also after the old course is purged', async () => {
  const { course, teacher, problemId, hiddenId, path, copy } = await createSource()
  const body = new FormData()
  body.set('file', new File([PNG], 'graph.png'))
  const { fileId } = (await call('POST', `/problem/${problemId}/file`, { as: teacher, body })).data
  const text = `![](/api/file/${fileId})`
  await runSql`update problems set description = json_set(description, '$.hint', ${text}) where id = ${problemId}`
  await copied(teacher, path, { course: copy })
  const student = await createPerson(2)
  await addMember({ course: copy, teacher }, student)
  const { items } = (await student.get(`/problem?course=${copy}`)).data
  expect(items).toHaveLength(1)
  const { problemId: copyId } = items[0]
  const rows =
    () => allRows`select v.object_key from problems p join test_data_versions v on v.id = p.test_data_version
    where p.id = ${copyId} and v.problem_id = p.id`
  const [original] =
    await allRows`select object_key from test_data_versions where problem_id = ${problemId}`
  expect(await rows()).toEqual([original])
  expect(
    await firstValue`select count(*) from test_data_versions where problem_id = ${hiddenId}`,
  ).toBe(0)
  await submit(student, copyId)

  const db = openDb(env.DB)
  await adoptBucket(workerEnv, db)
  await teacher.delete('/course', { course })
  const mark = nowSeconds() + COURSE_PURGE_SECONDS + 1
  await purgeCourses(db, mark)
  for (let run = 0; run < 6; run += 1) await purgeCourses(db, mark + SWEEP.markedSeconds)
  expect(await firstValue`select count(*) from courses where name = ${course}`).toBe(0)
  const sweepAt = async (now: number) => {
    await runSql`update installation set confirmed_at = ${now}`
    await deleteOrphans(workerEnv, db, now)
  }
  const objects = async () => {
    const { objects: found } = await env.BUCKET.list()
    return found.map(({ key }) => key)
  }
  const kept = [`files/${fileId}`, original?.['object_key']]
  await sweepAt(mark + SWEEP.markedSeconds)
  await sweepAt(mark + 3 * SWEEP.markedSeconds)
  expect(await objects()).toEqual(expect.arrayContaining(kept))
  const file = await fetchApi('GET', `/file/${fileId}`, { as: student })
  expect([file.status, new Uint8Array(await file.arrayBuffer())]).toEqual([200, PNG])
  expect((await student.get(`/problem/${copyId}`)).data.description.hint).toBe(text)
  expect((await teacher.get(`/course/${copy}`)).data.copiedFrom).toBeNull()

  // With the last course that names them the objects go, too.
  await teacher.delete(`/problem/manage/${copyId}`)
  await runSql`delete from test_data_versions where problem_id = ${copyId}`
  await sweepAt(mark + 5 * SWEEP.markedSeconds)
  await sweepAt(mark + 7 * SWEEP.markedSeconds)
  expect(await objects()).not.toEqual(expect.arrayContaining(kept.slice(0, 1)))
  expect(await objects()).not.toEqual(expect.arrayContaining(kept.slice(1)))
})

test('a course of 200 homeworks and 200 problems is copied in one batch, each problem with what is its own', async () => {
  const { course, teacher, ta, problemId } = await createProblem()
  const copy = uniqueName('Copy ')
  const courseId = await firstValue`select id from courses where name = ${course}`
  const form =
    await firstRow`select owner_id, description, compare from problems where id = ${problemId}`
  const version =
    await firstRow`select object_key, size_bytes from test_data_versions where problem_id = ${problemId}`
  await runSql`insert into problems (course_id, name, status, type, owner_id, tags, quota, allowed_language, description, compare, created_at, updated_at)
    select ${courseId}, 'P' || value, 0, 0, ${form?.['owner_id']}, '[]', -1, 7, ${form?.['description']}, ${form?.['compare']}, 1, 1
    from json_each(${numbersBelow(199)})`
  await runSql`insert into subtasks (problem_id, position, case_count, task_score, memory_limit_kb, time_limit_ms, output_limit_kb)
    select p.id, j.value, 1, 20, 1, 1, 1 from problems p, json_each(${numbersBelow(5)}) j where p.name like 'P%'`
  await runSql`insert into test_data_versions (id, problem_id, object_key, size_bytes, case_counts, uploader_id, created_at)
    select printf('%024x', id), id, ${version?.['object_key']}, 1, '[1,1,1,1,1]', ${ta.id}, 1 from problems where name like 'P%'`
  await runSql`update problems set test_data_version = printf('%024x', id) where name like 'P%'`
  await runSql`insert into homeworks (id, course_id, name, markdown, start_at, end_at, scoreboard_status, created_at, updated_at)
    select printf('%024x', value), ${courseId}, 'H' || value, '', 1, 2, 1, 1, 1 from json_each(${numbersBelow(200)})`
  await runSql`insert into homework_problems (homework_id, problem_id, position)
    select printf('%024x', j.value), p.id, p.id % 5 from problems p, json_each(${numbersBelow(200)}) j
    where p.course_id = ${courseId} and cast(p.id - ${problemId} as integer) / 5 = j.value`
  const homeworks = [...Array(200).keys()].map((index) => ({
    id: index.toString(16).padStart(24, '0'),
    start: 100 + index,
    end: 200 + index,
  }))
  const { status, text, trips } = await recordCall('POST', `/course/${course}/copy`, {
    as: teacher,
    json: { course: copy, homeworks },
  })
  expect([status, JSON.parse(text).data]).toMatchObject([200, { problems: 200, homeworks: 200 }])
  // The course, the copy.
  expect(countedTrips(trips)).toHaveLength(2)
  // Each homework has the copies of its own problems, each with its own subtasks.
  const wrong = await firstValue`select count(*) from homework_problems hp
    join homeworks h on h.id = hp.homework_id join courses c on c.id = h.course_id and c.name = ${copy}
    join problems p on p.id = hp.problem_id
    where p.course_id <> c.id or not exists (select 1 from homework_problems o join problems op on op.id = o.problem_id and op.name = p.name
      join homeworks oh on oh.id = o.homework_id and oh.name = h.name and oh.course_id = ${courseId} where o.position = hp.position)
      or (select count(*) from subtasks s where s.problem_id = p.id) <> iif(p.name like 'P%', 5, 2)`
  expect(wrong).toBe(0)
  expect(
    await firstValue`select count(*) from homework_problems hp join homeworks h on h.id = hp.homework_id
    join courses c on c.id = h.course_id where c.name = ${copy}`,
  ).toBe(200)
  expect(
    await firstValue`select count(distinct v.id) from problems p join test_data_versions v on v.id = p.test_data_version
    join courses c on c.id = p.course_id where c.name = ${copy} and v.problem_id = p.id`,
  ).toBe(200)
})
