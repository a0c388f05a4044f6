/** Questions: who reads them, and what a message changes. */
import { describe, expect, test } from 'vitest'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { MOST_MESSAGES, QUESTION_BUDGET } from '../../../worker/features/questions/write-queries.ts'
import { leaveTokens, useUp } from '../support/buckets.ts'
import { CODE, createAsked } from '../support/questions.ts'
import { firstValue, numbersBelow, runSql } from '../support/sql.ts'
import {
  addMember,
  addStudents,
  createCourse,
  createPerson,
  createProblem,
  submit,
  type Person,
} from '../support/world.ts'

describe('a question about a line', () => {
  test('is answered, seen by the badge, resolved, and opened again by a reply', async () => {
    const { student, ta, teacher, submissionId, problemId, ask, threads, badge } =
      await createAsked()
    const { questionId } = (await ask(student)).data
    expect([await badge(student), await badge(ta), await badge(teacher)]).toEqual([0, 1, 1])
    const [open] = await threads(ta)
    expect(open).toMatchObject({
      questionId,
      submissionId,
      problemId,
      line: 2,
      state: 'open',
      waiting: true,
      student: { username: student.username },
      messages: [{ author: { username: student.username }, markdown: 'Why?' }],
    })
    const one = `/question/${questionId}`
    expect((await ta.post(`${one}/messages`, { markdown: 'Because.' })).status).toBe(200)
    expect([await badge(student), await badge(ta)]).toEqual([1, 0])
    const answered = (await student.get(one)).data
    expect(answered).toMatchObject({ state: 'answered', waiting: true })
    const [first, second] = answered.messages
    await student.put(`${one}/read`, { messageId: first.messageId })
    expect(await badge(student)).toBe(1)
    await ta.put(`${one}/read`, { messageId: second.messageId })
    expect(await badge(student)).toBe(1)
    await student.put(`${one}/read`, { messageId: second.messageId })
    expect(await badge(student)).toBe(0)
    expect((await student.patch(one, { state: 'resolved' })).status).toBe(200)
    expect((await threads(ta))[0].state).toBe('resolved')
    await student.post(`${one}/messages`, { markdown: 'One more thing.' })
    expect([await badge(student), await badge(ta)]).toEqual([0, 1])
    expect((await threads(student))[0]).toMatchObject({ state: 'open', waiting: false })
  })

  test('may be begun by staff, unasked', async () => {
    const { student, ta, ask, threads, badge } = await createAsked()
    await ask(ta, 'Mind the indentation.', 3)
    expect([await badge(student), await badge(ta)]).toEqual([1, 0])
    expect((await threads(student))[0]).toMatchObject({
      state: 'answered',
      student: { username: student.username },
      messages: [{ author: { username: ta.username } }],
    })
  })

  test('names a line of the code', async () => {
    const { student, problemId, path, ask } = await createAsked()
    expect((await ask(student, 'Why?', 3)).status).toBe(200)
    const beyond = await ask(student, 'Why?', 4)
    expect(beyond).toMatchObject({ status: 400, code: 'bad_body' })
    expect(beyond.data).toEqual([
      {
        path: ['line'],
        code: 'max_value',
        message: 'The maximum value allowed is 3',
        params: { max: 3 },
      },
    ])
    const nul = await submit(student, problemId, 'a\0b\n\nc\n')
    const of = (line: number) =>
      student.post(`/submission/${nul}/questions`, { markdown: '?', line })
    expect([(await of(4)).status, (await of(5)).status]).toEqual([200, 400])
    for (const json of [{ markdown: 'x' }, { markdown: ' ', line: 1 }, { markdown: 'x', line: 0 }])
      expect((await student.post(path, json)).code).toBe('bad_body')
    const longest = 'x'.repeat(TEXT_LIMITS.questionMarkdown)
    expect((await ask(student, longest)).status).toBe(200)
    expect((await ask(student, `${longest}x`)).code).toBe('bad_body')
  })
})

describe('who reads a question', () => {
  test('its student and the staff of its course; to everybody else it does not exist', async () => {
    const world = await createAsked()
    const { student, path, ask, teacher } = world
    const { questionId } = (await ask(student)).data
    const [classmate] = await addStudents(world, 1)
    const stranger = await createCourse()
    if (!classmate) throw new Error('no classmate')
    const one = `/question/${questionId}`
    for (const person of [classmate, stranger.teacher, stranger.student]) {
      expect((await person.get(path)).code).toBe('submission_not_found')
      expect((await ask(person)).code).toBe('submission_not_found')
      expect((await person.get(one)).code).toBe('question_not_found')
      const { code } = await person.post(`${one}/messages`, { markdown: 'Me too' })
      expect(code).toBe('question_not_found')
      expect((await person.patch(one, { state: 'resolved' })).code).toBe('question_not_found')
      const messageId = 'f'.repeat(24)
      expect((await person.put(`${one}/read`, { messageId })).code).toBe('question_not_found')
    }
    const list = `/course/${world.course}/questions`
    expect((await classmate.get(list)).data.items).toEqual([])
    expect((await stranger.teacher.get(list)).code).toBe('course_not_found')
    expect((await teacher.get(one)).data.messages).toHaveLength(1)
    expect((await (await createPerson(0)).get(one)).status).toBe(200)
  })

  test('not who was removed from the course; staff go on reading it', async () => {
    const world = await createAsked()
    const { student, teacher, ta, course, path, ask, badge } = world
    const { questionId } = (await ask(student)).data
    await teacher.patch(`/course/${course}/members`, { remove: [student.username, ta.username] })
    for (const person of [student, ta])
      for (const call of [path, `/question/${questionId}`, `/course/${course}/questions`])
        expect((await person.get(call)).status, call).toBe(404)
    expect((await student.get('/course')).data).toEqual([])
    expect(await badge(teacher)).toBe(1)
    await addMember(world, student)
    expect((await student.get(`/question/${questionId}`)).status).toBe(200)
  })

  test('nobody while its course is deleted', async () => {
    const { student, teacher, course, path, ask } = await createAsked()
    const { questionId } = (await ask(student)).data
    await teacher.delete('/course', { course })
    for (const person of [student, teacher])
      for (const call of [path, `/question/${questionId}`])
        expect((await person.get(call)).status, call).toBe(404)
    await teacher.post(`/course/${course}/restore`)
    expect((await student.get(`/question/${questionId}`)).status).toBe(200)
  })

  test('of a problem that is hidden or comes later nobody asks; one’s submissions stay, as ever', async () => {
    const world = await createProblem()
    const { student, teacher, course, problemId } = world
    const path = `/problem/${problemId}/questions`
    const submissionId = await submit(student, problemId, CODE)
    const before = (await student.post(path, { markdown: 'What is N?' })).data
    const start = nowSeconds() + 1_000
    const homework = { name: 'Exam', courseName: course, start, end: start + 9 }
    const { id } = (await teacher.post('/homework', { ...homework, problemIds: [problemId] })).data
    expect((await student.post(path, { markdown: 'Early?' })).code).toBe('problem_not_found')
    await teacher.delete(`/homework/${id}`)
    await runSql`update problems set status = 1 where id = ${problemId}`
    expect((await student.post(path, { markdown: 'Hidden?' })).code).toBe('problem_not_found')
    expect((await student.get(`/question/${before.questionId}`)).status).toBe(200)
    const line = { markdown: 'Mine?', line: 1 }
    expect((await student.post(`/submission/${submissionId}/questions`, line)).status).toBe(200)
    expect((await teacher.post(path, { markdown: 'For the other teacher' })).status).toBe(200)
  })
})

describe('writing', () => {
  test('a call that comes twice with one key writes once', async () => {
    const { student, ta, path, threads } = await createAsked()
    const key = { 'Idempotency-Key': 'press-1' }
    const ask = { markdown: 'Why?', line: 1 }
    const asked = await Promise.all([1, 2, 3].map(() => student.post(path, ask, key)))
    const [id, ...others] = asked.map(({ data }) => data.questionId)
    expect(others).toEqual([id, id])
    const messages = `/question/${id}/messages`
    const answer = { markdown: 'So.' }
    await Promise.all([1, 2].map(() => ta.post(messages, answer, key)))
    expect(await threads(ta)).toMatchObject([{ messages: [{}, {}] }])
    const mismatches = [
      student.post(path, { ...ask, line: 2 }, key),
      student.post(path, { ...ask, markdown: 'Other' }, key),
      ta.post(messages, { markdown: 'Other' }, key),
      student.post(messages, { markdown: 'Other' }, key),
    ]
    for (const { status, code } of await Promise.all(mismatches))
      expect([status, code]).toEqual([409, 'idempotency_mismatch'])
    const bucket = () =>
      firstValue`select full_at_ms from rate_limits where key = ${`question:user:${student.id}`}`
    const left = await bucket()
    expect(left).not.toBeNull()
    expect((await student.post(path, ask, key)).data.questionId).toBe(id)
    expect(await bucket()).toBe(left)
    const long = { 'Idempotency-Key': 'x'.repeat(129) }
    expect((await student.post(path, ask, long)).code).toBe('bad_body')
    await student.post(path, ask)
    await student.post(path, ask)
    expect(await threads(ta)).toHaveLength(3)
  })

  test('who resolves does not pass over a message that came meanwhile', async () => {
    const { student, ta, ask, threads } = await createAsked()
    const { questionId } = (await ask(student)).data
    const one = `/question/${questionId}`
    const [{ etag }] = await threads(ta)
    await student.post(`${one}/messages`, { markdown: 'Wait' })
    const resolve = (tag: string | null) =>
      ta.patch(one, { state: 'resolved' }, { 'If-Match': tag ?? '' })
    expect(await resolve(etag)).toMatchObject({ status: 409, code: 'stale_edit' })
    const fresh = (await ta.get(one)).headers.get('ETag')
    expect((await resolve(fresh)).status).toBe(200)
    expect((await resolve(fresh)).status, 'a second press').toBe(200)
    expect((await ta.patch(one, { state: 'open' })).code).toBe('bad_body')
  })

  test('what its student has not read stays unread when they write or it is resolved', async () => {
    const { student, ta, teacher, ask, badge } = await createAsked()
    const { questionId } = (await ask(student)).data
    const one = `/question/${questionId}`
    const seen = (await student.get(one)).headers.get('ETag') ?? ''
    const resolve = () => student.patch(one, { state: 'resolved' }, { 'If-Match': seen })
    await ta.post(`${one}/messages`, { markdown: 'Because.' })
    await student.post(`${one}/messages`, { markdown: 'And why?' })
    expect((await student.get(one)).data).toMatchObject({ state: 'open', waiting: true })
    expect(await badge(student)).toBe(1)
    expect((await resolve()).code).toBe('stale_edit')
    await teacher.patch(one, { state: 'resolved' })
    expect((await resolve()).status).toBe(200)
    expect(await badge(student)).toBe(1)
    const { data, headers } = await student.get(one)
    const tag = { 'If-Match': headers.get('ETag') ?? '' }
    expect(data).toMatchObject({ state: 'resolved', waiting: true })
    expect((await student.patch(one, { state: 'resolved' }, tag)).status).toBe(200)
    expect(await badge(student)).toBe(0)
  })

  test('staff who ask are told of answers: in badge and inbox, until they have read them', async () => {
    const world = await createProblem()
    const { ta, teacher, course, problemId } = world
    const list = `/course/${course}/questions`
    const inbox = async (as: Person, query = '') =>
      (await as.get(list + query)).data.items.map((item: { questionId: string }) => item.questionId)
    const count = async (as: Person) => (await as.get(`/course/${course}`)).data.waitingQuestions
    const ask = async () =>
      (await ta.post(`/problem/${problemId}/questions`, { markdown: 'Is it right?' })).data
        .questionId
    const [first, second] = [await ask(), await ask()]
    expect([await count(ta), await count(teacher)]).toEqual([2, 2])
    const { messages } = (await ta.get(`/question/${first}`)).data
    await teacher.post(`/question/${first}/messages`, { markdown: 'It is.' })
    expect([await count(ta), await count(teacher)]).toEqual([2, 1])
    expect(await inbox(ta)).toEqual([first, second])
    expect(await inbox(ta, `?problemId=${problemId}&limit=1`)).toEqual([first])
    expect(await inbox(teacher)).toEqual([second])
    const answered = (await ta.get(`/question/${first}`)).data
    expect(answered).toMatchObject({ state: 'answered', waiting: true })
    await ta.put(`/question/${first}/read`, { messageId: messages[0].messageId })
    expect(await count(ta)).toBe(2)
    await ta.put(`/question/${first}/read`, { messageId: answered.messages[1].messageId })
    expect(await count(ta)).toBe(1)
    expect(await inbox(ta)).toEqual([second])
  })

  test('a student writes so much at once; staff answer as many as they can', async () => {
    const { student, ta, ask } = await createAsked()
    for (const { id } of [student, ta]) await useUp(`question:user:${id}`, QUESTION_BUDGET)
    const refused = await ask(student)
    expect(refused).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    const { status, data } = await ask(ta)
    expect(status).toBe(200)
    const reply = await student.post(`/question/${data.questionId}/messages`, { markdown: 'Hm' })
    expect(reply.code).toBe('too_many_requests')
  })

  test('the longer a student’s messages, the fewer', async () => {
    const { student, ask } = await createAsked()
    const text = '字'.repeat(100)
    const left = 2 * QUESTION_BUDGET.messageBytes + 3 * text.length
    await leaveTokens(`question:user:${student.id}`, QUESTION_BUDGET, left)
    expect((await ask(student, `${text}字`.repeat(30))).code).toBe('too_many_requests')
    expect((await ask(student, text)).status).toBe(200)
    expect((await ask(student, text.repeat(2))).code).toBe('too_many_requests')
  })

  test('about one thing a student writes so many messages, and staff as many', async () => {
    const { student, ta, problemId, ask, path, threads } = await createAsked()
    const most = MOST_MESSAGES
    const full = { status: 409, code: 'too_many_messages' }
    const fill = (questionId: string, author: Person) =>
      runSql`with recursive c(n) as (values(2) union all select n + 1 from c where n < ${most})
        insert into question_messages (id, question_id, author_id, markdown, idempotency_key, created_at)
        select printf('%012x%012x', ${author.id}, n) || ${questionId}, ${questionId}, ${author.id}, 'more', n || ${questionId}, 1 from c`
    const { questionId } = (await ask(student)).data
    await fill(questionId, student)
    expect(await ask(student)).toMatchObject(full)
    const messages = `/question/${questionId}/messages`
    expect(await student.post(messages, { markdown: 'more' })).toMatchObject(full)
    const own = (await ask(ta)).data
    await fill(own.questionId, ta)
    expect(await ask(ta)).toMatchObject(full)
    expect(await ta.post(messages, { markdown: 'more' })).toMatchObject(full)
    const shown = (await threads(ta)) as { messages: unknown[] }[]
    expect(shown.reduce((sum, thread) => sum + thread.messages.length, 0)).toBe(2 * most)
    const about = `/problem/${problemId}/questions`
    const first = (await student.post(about, { markdown: 'N?' })).data
    await fill(first.questionId, student)
    expect(await student.post(about, { markdown: 'N?' })).toMatchObject(full)
    expect((await ta.post(about, { markdown: 'N?' })).status).toBe(200)
    const another = await submit(student, problemId, CODE)
    const elsewhere = await student.post(path.replace(/[0-9a-f]{24}/, another), {
      markdown: 'Why?',
      line: 1,
    })
    expect(elsewhere.status).toBe(200)
  })

  test('saved replies are one’s own', async () => {
    const { ta, student } = await createCourse()
    const path = '/saved-replies'
    const first = await ta.get(path)
    expect(first.data).toEqual({ replies: [] })
    const tag = { 'If-Match': first.headers.get('ETag') ?? '' }
    const replies = ['See the notes.', 'Which input?']
    expect((await ta.put(path, { replies }, tag)).status).toBe(200)
    expect((await ta.put(path, { replies: [] }, tag)).code).toBe('stale_edit')
    expect((await ta.get(path)).data).toEqual({ replies })
    expect((await student.get(path)).data).toEqual({ replies: [] })
    expect((await ta.put(path, { replies: ['x', ' '] })).data[0].path).toEqual(['replies', 1])
  })
})

describe('the inbox of a course', () => {
  test('is read by state, open ones oldest first, by problem, in pages', async () => {
    const world = await createProblem()
    const { student, ta, teacher, course, problemId } = world
    const other = await createProblem()
    const ask = async (markdown: string) =>
      (await student.post(`/problem/${problemId}/questions`, { markdown })).data.questionId
    const ids = [await ask('First'), await ask('Second'), await ask('Third'), await ask('Fourth')]
    const list = async (as: Person, query = '') => {
      const { data } = await as.get(`/course/${course}/questions${query}`)
      return data.items.map(({ excerpt }: { excerpt: string }) => excerpt)
    }
    for (const id of ids.slice(0, 2)) await ta.post(`/question/${id}/messages`, { markdown: 'A' })
    expect(await list(ta)).toEqual(['Third', 'Fourth'])
    expect(await list(ta, '?state=answered')).toEqual(['Second', 'First'])
    expect(await list(student)).toEqual(['Fourth', 'Third', 'Second', 'First'])
    expect(await list(student, '?state=open')).toEqual(['Fourth', 'Third'])
    await teacher.patch(`/question/${ids[2]}`, { state: 'resolved' })
    expect(await list(teacher, '?state=resolved')).toEqual(['Third'])
    expect(await list(ta, `?problemId=${problemId}`)).toEqual(['Fourth'])
    expect(await list(ta, `?problemId=${other.problemId}`)).toEqual([])
    expect(await list(student, `?problemId=${problemId}&state=resolved`)).toEqual(['Third'])
    expect((await ta.get(`/course/${course}/questions?state=new`)).code).toBe('bad_query')
    for (const [as, query, whole] of [
      [ta, '?state=answered', ['Second', 'First']],
      [student, '?', ['Fourth', 'Third', 'Second', 'First']],
    ] as const) {
      const seen = []
      let cursor = ''
      do {
        const path = `/course/${course}/questions${query}&limit=1&cursor=${cursor}`
        const { data } = await as.get(path.replace(/&cursor=$/, ''))
        seen.push(...data.items.map(({ excerpt }: { excerpt: string }) => excerpt))
        cursor = data.next
      } while (cursor !== null)
      expect(seen).toEqual(whole)
    }
  })

  test('has nothing of another course, though its reader asks there and names its problem', async () => {
    const [{ student, ta, course, problemId }, other] = [
      await createProblem(),
      await createProblem(),
    ]
    await student.post(`/problem/${problemId}/questions`, { markdown: 'Here' })
    for (const person of [student, ta]) {
      await addMember(other, person)
      const asked = await person.post(`/problem/${other.problemId}/questions`, {
        markdown: 'There',
      })
      const { questionId } = asked.data
      if (person === ta) await other.ta.post(`/question/${questionId}/messages`, { markdown: 'A' })
    }
    for (const person of [student, ta])
      for (const query of ['', '?state=open', '?state=answered', `?problemId=${problemId}`]) {
        const { data } = await person.get(`/course/${course}/questions${query}`)
        const found = data.items.map(({ excerpt }: { excerpt: string }) => excerpt)
        expect(found, query).toEqual(query === '?state=answered' ? [] : ['Here'])
      }
    for (const person of [student, ta])
      for (const state of ['', '&state=open', '&state=answered']) {
        const query = `problemId=${other.problemId}${state}`
        const { data } = await person.get(`/course/${course}/questions?${query}`)
        expect(data.items, query).toEqual([])
      }
    expect((await ta.get(`/course/${course}`)).data.waitingQuestions).toBe(1)
    expect((await ta.get(`/course/${other.course}`)).data.waitingQuestions).toBe(1)
  })

  test('counts as many as it lists, and no more than a badge shows', async () => {
    const { student, ta, teacher, course, problemId } = await createProblem()
    const asked = await student.post(`/problem/${problemId}/questions`, { markdown: 'First' })
    const copies = (count: number) =>
      runSql`insert into questions (id, course_id, problem_id, student_id, state, unread, created_at, updated_at)
        select printf('%024x', ${problemId} * 1000 + value), course_id, problem_id, student_id, 'open', 0, 1, 1
        from questions join json_each(${numbersBelow(count)}) where questions.id = ${asked.data.questionId}
        on conflict do nothing`
    const counted = async (as: Person) => [
      (await as.get(`/course/${course}`)).data.waitingQuestions,
      (await as.get('/course')).data[0].waitingQuestions,
      (await as.get(`/course/${course}/questions?limit=200`)).data.items.length,
    ]
    const most = COUNT_LIMITS.waitingQuestions
    for (const [made, badge] of [
      [most - 2, most - 1],
      [most - 1, most],
      [most, most],
    ] as const) {
      await copies(made)
      for (const staff of [ta, teacher])
        expect(await counted(staff)).toEqual([badge, badge, made + 1])
    }
  })

  test('comes page by page without repeats, open questions and unread answers in one order', async () => {
    const { ta, teacher, course, problemId } = await createProblem()
    const ask = async (markdown: string): Promise<string> =>
      (await ta.post(`/problem/${problemId}/questions`, { markdown })).data.questionId
    const ids = [await ask('First'), await ask('Second'), await ask('Third'), await ask('Fourth')]
    for (const at of [0, 2])
      await teacher.post(`/question/${ids[at]}/messages`, { markdown: 'Yes.' })
    const seen: string[] = []
    for (let cursor = ''; seen.length < 9;) {
      const { items, next } = (await ta.get(`/course/${course}/questions?limit=1${cursor}`)).data
      seen.push(...items.map(({ questionId }: { questionId: string }) => questionId))
      if (next === null) break
      cursor = `&cursor=${next}`
    }
    expect(seen).toEqual(ids)
  })

  test('a page that holds all there is has no next one', async () => {
    const { student, ta, course, problemId } = await createProblem()
    for (const markdown of ['First', 'Second'])
      await student.post(`/problem/${problemId}/questions`, { markdown })
    for (const person of [student, ta])
      for (const [limit, items, hasNext] of [
        [1, 1, true],
        [2, 2, false],
        [3, 2, false],
      ] as const) {
        const { data } = await person.get(`/course/${course}/questions?limit=${limit}`)
        expect([data.items.length, data.next !== null]).toEqual([items, hasNext])
      }
  })

  test('is counted in an admin’s list of courses only where the admin teaches, and for no deleted course', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const admin = await createPerson(0)
    await student.post(`/problem/${problemId}/questions`, { markdown: 'Why?' })
    const counted = async (as: Person, query = '') => {
      const { data } = await as.get(`/course${query}`)
      return data.find((item: { course: string }) => item.course === course).waitingQuestions
    }
    expect(await counted(teacher)).toBe(1)
    expect(await counted(admin)).toBe(0)
    expect((await admin.get(`/course/${course}`)).data.waitingQuestions).toBe(1)
    await runSql`update courses set teacher_id = ${admin.id} where name = ${course}`
    expect(await counted(admin)).toBe(1)
    await admin.delete('/course', { course })
    expect(await counted(admin, '?deleted=true')).toBe(0)
  })

  test('loses the questions of a deleted problem: they are resolved, and a reply opens one again', async () => {
    const { student, ta, teacher, problemId, badge, ask, course } = await createAsked()
    const { questionId } = (
      await student.post(`/problem/${problemId}/questions`, { markdown: '?' })
    ).data
    const answered = (await ask(student)).data.questionId
    await ta.post(`/question/${answered}/messages`, { markdown: 'So.' })
    expect([await badge(student), await badge(ta)]).toEqual([1, 1])
    const stale = { 'If-Match': '"0"' }
    const refused = await teacher.delete(`/problem/manage/${problemId}`, undefined, stale)
    expect(refused.code).toBe('stale_edit')
    expect(await badge(ta)).toBe(1)
    await teacher.delete(`/problem/manage/${problemId}`)
    expect([await badge(student), await badge(ta)]).toEqual([1, 0])
    expect((await ta.get(`/course/${course}/questions`)).data.items).toEqual([])
    expect((await student.get(`/question/${questionId}`)).data.state).toBe('resolved')
    await student.post(`/question/${questionId}/messages`, { markdown: 'Still.' })
    expect(await badge(ta)).toBe(1)
  })

  test('shows the beginning of a long question', async () => {
    const { student, course, problemId } = await createProblem()
    const markdown = '字'.repeat(TEXT_LIMITS.questionExcerpt + 1)
    await student.post(`/problem/${problemId}/questions`, { markdown })
    const [item] = (await student.get(`/course/${course}/questions`)).data.items
    expect(item.excerpt).toBe(markdown.slice(1))
    expect(item).not.toHaveProperty('messages')
  })
})
