import { describe, expect, test } from 'vitest'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { numbersBelow, runSql } from '../support/sql.ts'
import { createCourse, createProblem, problemForm, submit } from '../support/world.ts'

describe('problems', () => {
  test('hidden ones and those of a homework to come are not there for students', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const hidden = await teacher.post('/problem/manage', { course, ...problemForm({ status: 1 }) })
    const listed = async () =>
      (await student.get(`/problem?course=${course}`)).data.items.map(
        (item: { problemId: number }) => item.problemId,
      )
    expect(await listed()).toEqual([problemId])
    expect((await student.get(`/problem/${hidden.data.problemId}`)).status).toBe(404)
    const now = nowSeconds()
    const homework = {
      name: 'Later',
      courseName: course,
      markdown: '',
      start: now + 1000,
      end: now + 2000,
      problemIds: [problemId],
    }
    expect((await teacher.post('/homework', homework)).status).toBe(200)
    expect(await listed()).toEqual([])
    // The other problem is not affected, and its homework shows none of the first problem's.
    const other = (await teacher.post('/problem/manage', { course, ...problemForm() })).data
      .problemId
    expect(await listed()).toEqual([other])
    const own = { ...homework, name: 'Of another', start: now - 10, problemIds: [other] }
    expect((await teacher.post('/homework', own)).status).toBe(200)
    expect(await listed()).toEqual([other])
    expect(
      (await student.post('/submission', { problemId, languageType: 0, code: 'x' })).status,
    ).toBe(404)
    await teacher.post('/homework', { ...homework, name: 'Now', start: now - 10 })
    expect(await listed()).toEqual([problemId, other])
    expect((await teacher.post('/homework', { ...homework, name: 'Now' })).code).toBe(
      'homework_exists',
    )
    const homeworks = await student.get(`/course/${course}/homework`)
    expect(homeworks.data.map((item: { status: string }) => item.status)).toEqual([
      'not-started',
      'running',
      'running',
    ])
  })

  test('pages of one item walk the whole list; a cursor from elsewhere is refused', async () => {
    const { course, teacher } = await createCourse()
    for (const problemName of ['First', 'Second', '100% done'])
      await teacher.post('/problem/manage', {
        course,
        ...problemForm({ problemName, tags: ['math'] }),
      })
    const names: string[] = []
    let cursor = ''
    for (let page = 0; page < 5; page += 1) {
      const answer = await teacher.get(`/problem?course=${course}&limit=1${cursor}`)
      names.push(...answer.data.items.map((item: { problemName: string }) => item.problemName))
      if (answer.data.next === null) break
      cursor = `&cursor=${answer.data.next}`
    }
    expect(names).toEqual(['First', 'Second', '100% done'])
    expect((await teacher.get(`/problem?course=${course}&cursor=nonsense`)).status).toBe(400)
    expect((await teacher.get(`/problem?course=${course}&name=0%25`)).data.items).toHaveLength(1)
    expect((await teacher.get(`/problem?course=${course}&tags=math,dp`)).data.items).toHaveLength(0)
  })

  test('a page has fifty where nobody says how many, of problems and of submissions', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    await submit(student, problemId)
    await runSql`insert into problems (course_id, name, status, type, owner_id, tags, quota, allowed_language,
        description, compare, created_at, updated_at)
      select course_id, 'More', 0, 0, owner_id, tags, -1, 7, description, compare, 1, 1
      from problems, json_each(${numbersBelow(50)}) where problems.id = ${problemId}`
    await runSql`insert into submissions (id, problem_id, course_id, user_id, language_type, status, quota_used, ip, created_at)
      select printf('%024x', value), problem_id, course_id, user_id, 0, 1, 0, '', 1
      from submissions, json_each(${numbersBelow(50)}) where problem_id = ${problemId}`
    const problems = (await teacher.get(`/problem?course=${course}`)).data
    const submissions = (await teacher.get(`/submission?course=${course}`)).data
    for (const [items, next] of [
      [problems.items, problems.next],
      [submissions.submissions, submissions.next],
    ])
      expect([items.length, typeof next]).toEqual([50, 'string'])
  })

  test('an edit on a stale version is refused, without a version the last write wins', async () => {
    const { teacher, problemId } = await createProblem()
    const path = `/problem/manage/${problemId}`
    const read = await teacher.get(path)
    const headers = { 'If-Match': read.headers.get('ETag') ?? '' }
    const json = problemForm({ problemName: 'Mine' })
    expect((await teacher.put(path, json, headers)).status).toBe(200)
    expect((await teacher.put(path, problemForm({ problemName: 'Stale' }), headers)).code).toBe(
      'stale_edit',
    )
    expect((await teacher.get(path)).data).toMatchObject({
      problemName: 'Mine',
      testCase: { length: 2 },
    })
    expect((await teacher.put(path, json)).status).toBe(200)
  })

  test.each([
    [
      'scores that do not total 100',
      { testCase: [{ caseCount: 1, taskScore: 50, memoryLimit: 65_536, timeLimit: 1000 }] },
      ['testCase'],
    ],
    [
      'a time limit of zero',
      { testCase: [{ caseCount: 1, taskScore: 100, memoryLimit: 65_536, timeLimit: 0 }] },
      ['testCase', 0, 'timeLimit'],
    ],
    ['a blank name', { problemName: '  ' }, ['problemName']],
    [
      'samples without their outputs',
      { description: { description: '', sampleInput: ['1'], sampleOutput: [] } },
      ['description', 'sampleOutput'],
    ],
    ['no language', { allowedLanguage: 0 }, ['allowedLanguage']],
  ])('%s are refused by field', async (_title, changes, path) => {
    const { course, teacher } = await createCourse()
    const answer = await teacher.post('/problem/manage', { course, ...problemForm(changes) })
    expect(answer.status).toBe(400)
    expect(answer.data[0].path).toEqual(path)
  })
})
