import { describe, expect, test } from 'vitest'
import { nowSeconds } from '../../worker/lib/clock.ts'
import {
  call,
  createCourse,
  createPerson,
  createProblem,
  problemForm,
  uniqueName,
} from './world.ts'

describe('courses', () => {
  test('a teacher creates their own, an admin any; students none; names are taken once', async () => {
    const [admin, teacher, student] = [
      await createPerson(0),
      await createPerson(1),
      await createPerson(2),
    ]
    const course = uniqueName('Algorithms ')
    const create = (as: typeof admin, json: object) => call('POST', '/course', { as, json })
    expect((await create(student, { course, teacher: student.username })).status).toBe(403)
    expect((await create(teacher, { course, teacher: admin.username })).status).toBe(403)
    expect((await create(admin, { course, teacher: 'nobody' })).code).toBe('user_not_found')
    expect((await create(admin, { course, teacher: student.username })).code).toBe(
      'teacher_is_student',
    )
    expect((await create(admin, { course, teacher: teacher.username })).status).toBe(200)
    expect(await create(teacher, { course, teacher: teacher.username })).toMatchObject({
      status: 409,
      message: 'Course exists',
    })
    expect(
      (await create(teacher, { course: 'a/b', teacher: teacher.username })).data[0].path,
    ).toEqual(['course'])
    expect(
      (await create(teacher, { course: 'x', teacher: teacher.username, timeZone: 'Mars/Base' }))
        .data[0].path,
    ).toEqual(['timeZone'])
  })

  test('members see it with their role, outsiders get a 404', async () => {
    const { course, teacher, ta, student } = await createCourse()
    const roles = [teacher, ta, student].map((as) => call('GET', `/course/${course}`, { as }))
    expect((await Promise.all(roles)).map((answer) => answer.data.role)).toEqual([
      'teacher',
      'ta',
      'student',
    ])
    expect((await call('GET', `/course/${course}`, { as: await createPerson(1) })).status).toBe(404)
    expect((await call('GET', `/course/${course}`, { as: await createPerson(0) })).data.role).toBe(
      'teacher',
    )
    expect((await call('GET', `/course/${course}`)).status).toBe(401)
    const list = await call('GET', '/course', { as: student })
    expect(list.data).toMatchObject([
      { course, role: 'student', teacher: { username: teacher.username } },
    ])
  })

  test('members are added by name or e-mail, removed by name, and unknown ones named', async () => {
    const { course, teacher, ta, student } = await createCourse()
    const other = await createPerson(2)
    const patch = (json: object) =>
      call('PATCH', `/course/${course}/members`, { as: teacher, json })
    const unknown = await patch({
      add: [
        { user: 'ghost', role: 'ta' },
        { user: other.username, role: 'ta' },
      ],
    })
    expect(unknown).toMatchObject({ status: 404, data: { unknown: ['ghost'] } })
    await patch({
      add: [{ user: `${other.username}@example.test`, role: 'student' }],
      remove: [ta.username],
    })
    const read = (await call('GET', `/course/${course}`, { as: teacher })).data
    expect(read.TAs).toEqual([])
    expect(read.students.map((user: { username: string }) => user.username).toSorted()).toEqual(
      [student.username, other.username].toSorted(),
    )
    await call('PUT', `/course/${course}`, {
      as: teacher,
      json: { TAs: [student.username], students: [] },
    })
    expect((await call('GET', `/course/${course}`, { as: student })).data).toMatchObject({
      role: 'ta',
      students: [],
    })
    expect((await call('GET', `/course/${course}`, { as: other })).status).toBe(404)
  })
})

describe('announcements', () => {
  test('the system’s are public and written by admins; a course’s are for its members', async () => {
    const admin = await createPerson(0)
    const { course, ta, student } = await createCourse()
    const json = { title: 'Welcome', markdown: 'to the judge', pinned: true }
    const made = await call('POST', '/ann', { as: admin, json })
    expect((await call('GET', `/ann/${made.data.annId}`)).data).toMatchObject({
      ...json,
      creator: { username: admin.username },
    })
    expect((await call('POST', '/ann', { as: ta, json })).status).toBe(403)
    const own = await call('POST', '/ann', { as: ta, json: { ...json, courseName: course } })
    expect(
      (await call('POST', '/ann', { as: student, json: { ...json, courseName: course } })).status,
    ).toBe(403)
    expect((await call('GET', `/ann/${own.data.annId}`)).status).toBe(404)
    expect(
      (await call('GET', `/ann/${course}/${own.data.annId}`, { as: student })).data.title,
    ).toBe('Welcome')
    await call('PUT', '/ann', {
      as: ta,
      json: { annId: own.data.annId, title: 'Changed', markdown: '', pinned: false },
    })
    expect((await call('GET', `/course/${course}/ann`, { as: student })).data).toMatchObject([
      { title: 'Changed', pinned: false },
    ])
    expect(
      (await call('DELETE', '/ann', { as: student, json: { annId: own.data.annId } })).status,
    ).toBe(403)
    await call('DELETE', '/ann', { as: ta, json: { annId: own.data.annId } })
    expect((await call('GET', `/course/${course}/ann`, { as: student })).data).toEqual([])
  })
})

describe('problems', () => {
  test('hidden ones and those of a homework to come are not there for students', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const hidden = await call('POST', '/problem/manage', {
      as: teacher,
      json: { course, ...problemForm({ status: 1 }) },
    })
    const listed = async () =>
      (await call('GET', `/problem?course=${course}`, { as: student })).data.items.map(
        (item: { problemId: number }) => item.problemId,
      )
    expect(await listed()).toEqual([problemId])
    expect((await call('GET', `/problem/${hidden.data.problemId}`, { as: student })).status).toBe(
      404,
    )
    const now = nowSeconds()
    const homework = {
      name: 'Later',
      courseName: course,
      markdown: '',
      start: now + 1000,
      end: now + 2000,
      problemIds: [problemId],
    }
    expect((await call('POST', '/homework', { as: teacher, json: homework })).status).toBe(200)
    expect(await listed()).toEqual([])
    expect(
      (
        await call('POST', '/submission', {
          as: student,
          json: { problemId, languageType: 0, code: 'x' },
        })
      ).status,
    ).toBe(404)
    await call('POST', '/homework', {
      as: teacher,
      json: { ...homework, name: 'Now', start: now - 10 },
    })
    expect(await listed()).toEqual([problemId])
    expect(
      (await call('POST', '/homework', { as: teacher, json: { ...homework, name: 'Now' } })).code,
    ).toBe('homework_exists')
    const homeworks = await call('GET', `/course/${course}/homework`, { as: student })
    expect(homeworks.data.map((item: { status: string }) => item.status)).toEqual([
      'not-started',
      'running',
    ])
  })

  test('pages of one item walk the whole list; a cursor from elsewhere is refused', async () => {
    const { course, teacher } = await createCourse()
    for (const problemName of ['First', 'Second', '100% done'])
      await call('POST', '/problem/manage', {
        as: teacher,
        json: { course, ...problemForm({ problemName, tags: ['math'] }) },
      })
    const names: string[] = []
    let cursor = ''
    for (let page = 0; page < 5; page += 1) {
      const answer = await call('GET', `/problem?course=${course}&limit=1${cursor}`, {
        as: teacher,
      })
      names.push(...answer.data.items.map((item: { problemName: string }) => item.problemName))
      if (answer.data.next === null) break
      cursor = `&cursor=${answer.data.next}`
    }
    expect(names).toEqual(['First', 'Second', '100% done'])
    expect(
      (await call('GET', `/problem?course=${course}&cursor=nonsense`, { as: teacher })).status,
    ).toBe(400)
    expect(
      (await call('GET', `/problem?course=${course}&name=0%25`, { as: teacher })).data.items,
    ).toHaveLength(1)
    expect(
      (await call('GET', `/problem?course=${course}&tags=math,dp`, { as: teacher })).data.items,
    ).toHaveLength(0)
  })

  test('an edit on a stale version is refused, without a version the last write wins', async () => {
    const { teacher, problemId } = await createProblem()
    const path = `/problem/manage/${problemId}`
    const read = await call('GET', path, { as: teacher })
    const headers = { 'If-Match': read.headers.get('ETag') ?? '' }
    const json = problemForm({ problemName: 'Mine' })
    expect((await call('PUT', path, { as: teacher, json, headers })).status).toBe(200)
    expect(
      (
        await call('PUT', path, {
          as: teacher,
          json: problemForm({ problemName: 'Stale' }),
          headers,
        })
      ).code,
    ).toBe('stale_edit')
    expect((await call('GET', path, { as: teacher })).data).toMatchObject({
      problemName: 'Mine',
      testCase: { length: 2 },
    })
    expect((await call('PUT', path, { as: teacher, json })).status).toBe(200)
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
    const answer = await call('POST', '/problem/manage', {
      as: teacher,
      json: { course, ...problemForm(changes) },
    })
    expect(answer.status).toBe(400)
    expect(answer.data[0].path).toEqual(path)
  })
})

describe('every answer', () => {
  test('an unknown path and broken JSON use the envelope', async () => {
    const admin = await createPerson(0)
    expect(await call('GET', '/nowhere')).toMatchObject({ status: 404, code: 'not_found' })
    const broken = await call('POST', '/course', {
      as: admin,
      body: '{',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(broken).toMatchObject({ status: 400, code: 'bad_json' })
  })

  test('a read that has not changed is a 304', async () => {
    const admin = await createPerson(0)
    const first = await call('GET', '/course', { as: admin })
    const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' }
    expect((await call('GET', '/course', { as: admin, headers })).status).toBe(304)
  })

  test('health is public', async () => {
    expect((await call('GET', '/health')).data).toMatchObject({
      db: 'ok',
      queue: 'ok',
      runners: expect.any(Number),
    })
  })
})
