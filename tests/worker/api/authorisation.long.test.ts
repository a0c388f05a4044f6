/** Access to other people's things is refused: other courses, other students, hidden things, fields of rows. */
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { ROUTES } from '#contract/calls'
import { makeCall, signatureOf } from '../support/roles-routes-calls.ts'
import { createFixture, type Fixture } from '../support/roles-routes-fixture.ts'
import { ROLES, ROLES_ROUTES } from '../support/roles-routes.ts'
import { firstRow } from '../support/sql.ts'
import { call, fetchApi, problemForm, type Person } from '../support/world.ts'

/** An answer as text, with its status. */
async function textOf(method: string, path: string, as: Person, json?: unknown) {
  const response = await fetchApi(method, path, { as, json })
  return {
    status: response.status,
    text: await response.text(),
    etag: response.headers.get('ETag'),
  }
}

/** Routes about a thing of a course or of a person; they answer 404 to the teacher of another course. */
const boundRoutes = ROUTES.filter(
  (route) =>
    route !== 'DELETE /auth/session' &&
    (ROLES_ROUTES[route][ROLES.indexOf('other')] === 404 || route.startsWith('DELETE /auth/')),
)

describe('ids of another course', () => {
  test.each(boundRoutes)('%s answers 404 and nothing of the object [AZ2]', async (route) => {
    const [method = ''] = route.split(' ')
    const [own, foreign] = [await createFixture(), await createFixture()]
    const { path, ...options } = await makeCall(route, foreign, foreign.people.student)
    const response = await fetchApi(method, path, { ...options, as: own.people.teacher })
    const text = await response.text()
    expect(response.status).toBe(404)
    expect(text).not.toContain(foreign.mark)
    expect(response.headers.get('ETag')).toBe(null)
    expect(JSON.parse(text).data).toBe(null)
  })

  test('ids that do not belong together are unknown [AZ2]', async () => {
    const [own, foreign] = [await createFixture(), await createFixture()]
    const { teacher } = own.people
    const ownAndForeign = [
      ['GET', `/ann/${own.course}/${foreign.ids.ann}`, undefined],
      ['GET', `/ann/${foreign.ids.ann}`, undefined],
      ['POST', `/problem/${own.ids.problem}/copy`, { course: foreign.course }],
      ['POST', `/problem/${foreign.ids.problem}/copy`, { course: own.course }],
      ['POST', '/submission', { problemId: foreign.ids.problem, languageType: 0, code: 'x' }],
    ] as const
    for (const [method, path, json] of ownAndForeign) {
      const { status, text } = await textOf(method, path, teacher, json)
      expect(status, path).toBe(404)
      expect(text).not.toContain(foreign.mark)
    }
    const homework = {
      name: 'Mixed',
      courseName: own.course,
      start: 1,
      end: 2,
      problemIds: [foreign.ids.problem],
    }
    const mixed = await textOf('POST', '/homework', teacher, homework)
    expect([400, 404]).toContain(mixed.status)
    expect(mixed.text).not.toContain(foreign.mark)
    const listed = await textOf('GET', `/submission?problemId=${foreign.ids.problem}`, teacher)
    expect(listed.text).not.toContain(foreign.mark)
  })
})

describe('another student’s work', () => {
  test('is unknown to a student: source, message, outputs, rejudging [AZ3]', async () => {
    const { ids, people, mark } = await createFixture()
    for (const path of ['', '/output/0/0', '/rejudge'])
      expect((await textOf('GET', `/submission/${ids.done}${path}`, people.second)).status).toBe(
        404,
      )
    for (const filter of [
      '',
      `?problemId=${ids.problem}`,
      `?username=${people.student.username}`,
    ]) {
      const { data } = await people.second.get(`/submission${filter}`)
      expect(data.submissions).toEqual([])
    }
    const standing = await people.second.get(`/homework/${ids.homework}`)
    expect(JSON.stringify(standing.data.studentStatus)).not.toContain(`student-${mark}`)
  })

  test('lists hold the permitted columns and no others [AZ3]', async () => {
    const { course, people } = await createFixture()
    const columnsFor = async (as: Person) => {
      const { data } = await as.get(`/submission?course=${course}`)
      return Object.keys(data.submissions[0]).toSorted()
    }
    const seen = [
      ['course', 'languageType', 'memoryUsage', 'problemId', 'problemName', 'runTime', 'score'],
      ['status', 'submissionId', 'timestamp', 'user'],
    ].flat()
    expect(await columnsFor(people.student)).toEqual(seen)
    expect(await columnsFor(people.ta)).toEqual([...seen, 'ipAddr'].toSorted())
  })

  test('one’s own submission shows neither the address nor reasons for staff [AZ3]', async () => {
    const { ids, people } = await createFixture()
    const { text } = await textOf('GET', `/submission/${ids.done}`, people.student)
    expect(text).not.toContain('10.9.8.7')
    expect(text).not.toMatch(/"reason"/)
  })
})

describe('hidden problems and those of homeworks to come', () => {
  test('stand in no answer to a student [AZ4]', async () => {
    const fixture = await createFixture()
    const { ids, course, mark } = fixture
    const { student } = fixture.people
    const reads = ROUTES.filter(
      (route) =>
        /^GET \/(?!auth\/session|submission\/:id\/rejudge)/.test(route) &&
        ROLES_ROUTES[route][2] === 200,
    )
    const paths = await Promise.all(
      reads.map(async (route) => (await makeCall(route, fixture, student)).path),
    )
    const searches = ['name=Hidden', 'name=Upcoming', 'tags=tag'].map(
      (search) => `/problem?course=${course}&${search}`,
    )
    for (const path of [...paths, ...searches, `/homework/${ids.future}`]) {
      const { status, text } = await textOf('GET', path, student)
      expect(status, path).toBe(200)
      expect(text, path).not.toContain(`Hidden ${mark}`)
      expect(text, path).not.toContain(`Upcoming ${mark}`)
      const named: unknown[] = text.startsWith('{') ? (JSON.parse(text).data?.problemIds ?? []) : []
      expect(named).not.toContain(ids.hidden)
      expect(named).not.toContain(ids.upcoming)
    }
  })

  test('are told from unknown ones by nothing: status, text or tag [AZ4]', async () => {
    const { ids, people } = await createFixture()
    const unknown = 999_999
    const calls = (id: number) =>
      [
        ['GET', `/problem/${id}`, undefined],
        ['GET', `/problem/${id}/stats`, undefined],
        ['GET', `/problem/${id}/testcase`, undefined],
        ['GET', `/problem/manage/${id}`, undefined],
        ['POST', '/submission', { problemId: id, languageType: 0, code: 'x' }],
        ['POST', '/submission', { problemId: id, languageType: 0 }],
        ['GET', `/submission?problemId=${id}`, undefined],
        ['POST', `/problem/${id}/rejudge`, {}],
      ] as const
    for (const id of [ids.hidden, ids.upcoming])
      for (const [index, [method, path, json]] of calls(id).entries()) {
        const [, other = ''] = calls(unknown)[index] ?? []
        const found = await textOf(method, path, people.student, json)
        const json2 = json && 'problemId' in json ? { ...json, problemId: unknown } : json
        expect(found, path).toEqual(await textOf(method, other, people.student, json2))
      }
  })

  test('leave the tags of what students read as they are when staff edit them [AZ4]', async () => {
    const { ids, course, people } = await createFixture()
    const paths = [
      `/problem?course=${course}`,
      `/course/${course}/homework`,
      `/homework/${ids.homework}`,
      `/homework/${ids.future}`,
      `/problem/${ids.problem}`,
      `/problem/${ids.problem}/stats`,
    ]
    const tags = async () =>
      Promise.all(paths.map(async (path) => (await textOf('GET', path, people.student)).etag))
    const before = await tags()
    for (const id of [ids.hidden, ids.upcoming]) {
      const json = problemForm({ problemName: 'Renamed', status: id === ids.hidden ? 1 : 0 })
      expect((await textOf('PUT', `/problem/manage/${id}`, people.teacher, json)).status).toBe(200)
    }
    expect(await tags()).toEqual(before)
  })
})

describe('labels that only staff see', () => {
  test('stand in no answer to a classmate, with their reasons and dates, nor their names in one to who has them', async () => {
    const fixture = await createFixture()
    const { ids, course, mark, people } = fixture
    // A reason of the student's own would stand before the label's.
    await env.DB.prepare(
      'delete from homework_overrides where homework_id = ? and user_id is not null',
    )
      .bind(ids.homework)
      .run()
    const [name, reason] = [`Label ${mark}`, `Label's reason ${mark}`]
    const dates = await people.teacher.get(`/homework/${ids.homework}/dates`)
    const due = String(dates.data.labels[0].override.due)
    const reads = ROUTES.filter(
      (route) =>
        /^GET \/(?!auth\/session|submission\/:id\/rejudge|live)/.test(route) &&
        ROLES_ROUTES[route][2] === 200,
    )
    const lists = [`/submission?course=${course}`, `/homework/${ids.homework}`]
    for (const role of ['student', 'second'] as const) {
      const as = people[role]
      const made = await Promise.all(reads.map((route) => makeCall(route, fixture, as)))
      // The calendar's link says whose it is: the student's.
      const paths = made
        .map(({ path }) => path)
        .filter((path) => role === 'student' || !path.startsWith('/calendar?'))
      for (const path of [...paths, ...lists]) {
        const { text } = await textOf('GET', path, as)
        expect(text, path).not.toContain(name)
        if (role === 'student') continue
        expect(text, path).not.toContain(reason)
        expect(text, path).not.toContain(due)
      }
    }
    const own = await textOf('GET', `/homework/${ids.homework}`, people.student)
    expect(own.text).toContain(reason)
    expect(own.text).toContain(due)
  })
})

describe('fields that are nobody’s to set', () => {
  const row = (table: string, id: unknown, key = 'id') =>
    env.DB.prepare(`select * from ${table} where ${key} = ?`).bind(id).first()

  test('a profile sets its two fields, whatever else it brings [AZ5]', async () => {
    const { people } = await createFixture()
    const before = await row('users', people.student.id)
    const json = {
      displayedName: 'Me',
      role: 0,
      email: 'x@y.test',
      active: false,
      id: 1,
      username: 'x',
    }
    expect((await people.student.post('/profile', json)).status).toBe(200)
    expect(await row('users', people.student.id)).toEqual({ ...before, displayed_name: 'Me' })
  })

  test('a submission brings no verdict, person, course or time [AZ5]', async () => {
    const { ids, people } = await createFixture()
    const json = {
      problemId: ids.problem,
      languageType: 0,
      code: 'x',
      status: 0,
      score: 100,
      user: people.ta.username,
      userId: people.ta.id,
      id: ids.done,
      runTime: 1,
      courseId: 1,
      quotaUsed: 0,
      timestamp: 1,
      createdAt: 1,
    }
    const made = await people.student.post('/submission', json)
    expect(made.data.submissionId).not.toBe(ids.done)
    const stored = await row('submissions', made.data.submissionId)
    expect(stored).toMatchObject({
      status: -1,
      score: 0,
      user_id: people.student.id,
      run_time_ms: null,
    })
    expect(stored?.['course_id']).toBe(ids.problem)
    expect(stored?.['created_at']).not.toBe(1)
  })

  test('editing a problem moves it nowhere and gives it to nobody [AZ5]', async () => {
    const { ids, people, otherCourse } = await createFixture()
    const before = await row('problems', ids.problem)
    const json = problemForm({
      course: otherCourse,
      courseId: 1,
      owner: people.other.username,
      ownerId: 1,
      problemId: ids.hidden,
      testDataVersion: 'x',
      version: 99,
      submitCount: 9,
    })
    const path = `/problem/manage/${ids.problem}`
    expect((await people.ta.put(path, json)).status).toBe(200)
    const after = await row('problems', ids.problem)
    for (const column of ['course_id', 'owner_id', 'test_data_version', 'created_at', 'deleted_at'])
      expect(after?.[column], column).toEqual(before?.[column])
    expect(after?.['version']).toBe(Number(before?.['version']) + 1)
  })

  test('editing an announcement or a homework keeps its course, its author and its id [AZ5]', async () => {
    const { ids, people, otherCourse } = await createFixture()
    const more = {
      courseName: otherCourse,
      course: otherCourse,
      courseId: 1,
      creatorId: 1,
      id: 'x',
    }
    const ann = { annId: ids.ann, title: 'T', markdown: '', pinned: false, creator: 'x', ...more }
    const before = await row('announcements', ids.ann)
    expect((await people.ta.put('/ann', ann)).status).toBe(200)
    expect(await row('announcements', ids.ann)).toMatchObject({
      course_id: before?.['course_id'],
      creator_id: before?.['creator_id'],
    })
    const homework = { name: 'N', markdown: '', start: 1, end: 2, problemIds: [], ...more }
    const path = `/homework/${ids.homework}`
    expect((await people.ta.put(path, homework)).status).toBe(200)
    expect((await row('homeworks', ids.homework))?.['course_id']).toBe(before?.['course_id'])
  })

  test('a teacher makes nobody a teacher or admin by way of members or sign-up', async () => {
    const { course, people } = await createFixture()
    const { username } = people.spare
    for (const role of ['teacher', 'admin', 0]) {
      const json = { add: [{ user: username, role }] }
      const answer = await people.teacher.patch(`/course/${course}/members`, json)
      expect(answer.status).toBe(400)
    }
    const newUsers = `username,password,email,role\n${username},,,0`
    const json = { newUsers, course, force: true }
    const answer = await people.teacher.post('/auth/batch-signup', json)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect((await row('users', people.spare.id))?.['role']).toBe(2)
  })
})

describe('runners', () => {
  test('another runner’s job answers 409 to every call without its lease and does not change [AZ6]', async () => {
    const [own, foreign] = [await createFixture(), await createFixture()]
    const id = foreign.ids.leasedJudgement
    const read = () => firstRow`select * from judgements where id = ${id}`
    const before = await read()
    const routes = ROUTES.filter((route) => route.includes('/runner/jobs/:id/'))
    for (const route of routes) {
      const [method = ''] = route.split(' ')
      const { path, json } = await makeCall(route, own, null)
      const other = path.replace(own.ids.leasedJudgement, id)
      const answer = await call(method, other, { json, token: own.runnerToken })
      expect(answer, route).toMatchObject({ status: 409, code: 'stale_lease' })
    }
    const beat = { active: [id], slots: 1, free: 0, load: 0 }
    await call('POST', '/runner/heartbeat', { token: own.runnerToken, json: beat })
    expect(await read()).toEqual(before)
  })
})

describe('rights that end during a session', () => {
  /** Changes that end somebody's rights, each with a call that was allowed before. */
  const endings: [string, (fixture: Fixture) => Promise<[Person, string, string, unknown?]>][] = [
    [
      'a student who was removed',
      async ({ course, people, ids }) => {
        const json = { remove: [people.student.username] }
        await people.teacher.patch(`/course/${course}/members`, json)
        return [people.student, 'GET', `/submission/${ids.done}`]
      },
    ],
    [
      'a teaching assistant who is a student now',
      async ({ course, people, ids }) => {
        const json = { add: [{ user: people.ta.username, role: 'student' }] }
        await people.teacher.patch(`/course/${course}/members`, json)
        return [people.ta, 'GET', `/problem/manage/${ids.problem}`]
      },
    ],
    [
      'a teacher who gave the course away',
      async ({ course, people, ids }) => {
        const json = { course, teacher: people.other.username }
        await people.teacher.put('/course', json)
        return [people.teacher, 'DELETE', `/homework/${ids.homework}`]
      },
    ],
    [
      'a member of a course that was deleted',
      async ({ course, people, ids }) => {
        await people.teacher.delete('/course', { course })
        return [people.ta, 'GET', `/problem/${ids.problem}`]
      },
    ],
    [
      'a teacher who is a student now',
      async ({ people }) => {
        const path = `/user/${people.teacher.username}`
        await people.admin.patch(path, { role: 2 })
        const json = { course: 'Mine', teacher: people.teacher.username }
        return [people.teacher, 'POST', '/course', json]
      },
    ],
    [
      'somebody whose account was closed',
      async ({ people }) => {
        const path = `/user/${people.student.username}`
        await people.admin.patch(path, { active: false })
        return [people.student, 'GET', '/auth/me']
      },
    ],
  ]

  test.each(endings)('%s is refused at the next call [AZ7]', async (_, end) => {
    const [as, method, path, json] = await end(await createFixture())
    expect([401, 403, 404]).toContain((await call(method, path, { as, json })).status)
  })

  test('until then the same calls are answered', async () => {
    const fixture = await createFixture()
    for (const role of ['student', 'ta', 'teacher'])
      expect(
        (await call('GET', `/course/${fixture.course}`, signatureOf(fixture, role))).status,
      ).toBe(200)
  })
})
