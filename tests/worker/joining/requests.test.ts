/** Approval, refusal, removal, leaving and coming back. */
import { expect, test } from 'vitest'
import { createCode, outcome } from '../support/joining.ts'
import { kindsOf, mailTimes, noticesOf } from '../support/notices.ts'
import { allRows, firstValue } from '../support/sql.ts'
import { addMember, createPeople, createPerson } from '../support/world.ts'

test('with approval people wait, and staff let them in or refuse them', async () => {
  const { id, path, teacher, join, joining, answer } = await createCode({ approval: true })
  const [let_in, refused, later] = await createPeople(2, 2, 2)
  for (const person of [let_in, refused, later]) expect(outcome(await join(person))).toBe('waiting')
  expect((await let_in.get(path)).status).toBe(404)
  expect((await joining()).waiting).toMatchObject([
    { user: { username: let_in.username }, codeId: id, email: `${let_in.username}@example.test` },
    { user: { username: refused.username } },
    { user: { username: later.username } },
  ])
  const verdict = { approve: [let_in.username], refuse: [refused.username] }
  expect((await answer(verdict)).status).toBe(200)
  expect((await answer(verdict)).status).toBe(200)
  const { waiting, came, codes } = await joining()
  expect(waiting).toMatchObject([{ user: { username: later.username } }])
  expect(came[let_in.username].codeId).toBe(id)
  expect(came[refused.username]).toBeUndefined()
  expect(codes[0].joined).toBe(3)
  expect(outcome(await join(let_in))).toBe('already_member')
  expect(outcome(await join(refused))).toBe('join_refused')
  expect((await addMember({ course: path.slice(8), teacher }, refused)).status).toBe(200)
  expect((await refused.get(path)).status).toBe(200)
})

test('asking again counts once, also where the code is full', async () => {
  const { edit, join, joining } = await createCode({ approval: true, most: 1 })
  const person = await createPerson(2)
  for (let time = 0; time < 2; time += 1) expect(outcome(await join(person))).toBe('waiting')
  expect((await joining()).codes[0].joined).toBe(1)
  expect((await joining()).waiting).toHaveLength(1)
  await edit({ approval: false })
  expect(outcome(await join(person))).toBe('joined')
  expect((await joining()).codes[0].joined).toBe(1)
  expect((await joining()).waiting).toEqual([])
})

test('staff hear of a request where nobody waits yet, and not once nobody waits any more', async () => {
  const { course, teacher, join, answer, edit } = await createCode({ approval: true })
  const people = await createPeople(2, 2, 2)
  const [first, second, third] = people
  const made = () => allRows`select kind, user_id, actor_id from notices where kind = 'join_request'
    and course_id = (select id from courses where name = ${course}) order by id`
  for (const person of [first, first, second]) await join(person)
  const notice = { kind: 'join_request', user_id: null }
  expect(await made()).toEqual([{ ...notice, actor_id: first.id }])
  expect(await kindsOf(teacher)).toEqual(['join_request'])
  await answer({ approve: [first.username], refuse: [second.username] })
  expect(await kindsOf(teacher)).toEqual([])
  await join(third)
  expect(await made()).toEqual([first, third].map(({ id }) => ({ ...notice, actor_id: id })))
  const { code } = (await edit({ approval: false, rotate: true })).data
  await join(await createPerson(2), code)
  expect(await made()).toHaveLength(2)
})

test('whom staff let in hears of it, once; others do not', async () => {
  const { course, join, answer } = await createCode({ approval: true })
  const [let_in, refused] = await createPeople(2, 2)
  for (const person of [let_in, refused]) await join(person)
  const verdict = { approve: [let_in.username], refuse: [refused.username] }
  await Promise.all([answer(verdict), answer(verdict)])
  expect(await noticesOf(let_in)).toMatchObject([{ kind: 'let_in', course, subjectId: null }])
  expect(await mailTimes(let_in)).toHaveLength(1)
  expect([await noticesOf(refused), await mailTimes(refused)]).toEqual([[], []])
})

test('two answers at once to one request: one of them counts', async () => {
  const { join, joining, answer } = await createCode({ approval: true })
  const person = await createPerson(2)
  await join(person)
  const names = [person.username]
  await Promise.all([answer({ approve: names }), answer({ refuse: names })])
  const isIn = person.username in (await joining()).came
  expect(outcome(await join(person))).toBe(isIn ? 'already_member' : 'join_refused')
  expect(await kindsOf(person)).toEqual(isIn ? ['let_in'] : [])
})

test('approval gives the label of the code', async () => {
  const { path, teacher, edit, join, answer } = await createCode({ approval: true })
  const { labels } = (await teacher.put(`${path}/labels`, { labels: [{ id: null, name: 'A' }] }))
    .data
  await edit({ labelId: labels[0].id })
  const person = await createPerson(2)
  await join(person)
  await answer({ approve: [person.username] })
  expect(await firstValue`select label_id from member_labels where user_id = ${person.id}`).toBe(
    labels[0].id,
  )
})

test('whom staff remove cannot come back by a code until staff add them', async () => {
  const { course, path, teacher, ta, student, join, joining, edit } = await createCode()
  const person = await createPerson(2)
  await join(person)
  await teacher.patch(`${path}/members`, { remove: [person.username] })
  await teacher.put(path, { TAs: [], students: [student.username] })
  for (const gone of [person, ta]) expect(outcome(await join(gone))).toBe('join_refused')
  const { code } = (await edit({ rotate: true })).data
  expect(outcome(await join(person, code))).toBe('join_refused')
  await addMember({ course, teacher }, person)
  expect((await joining()).came[person.username].codeId).toBeNull()
  await person.post(`${path}/leave`)
  expect(outcome(await join(person, code))).toBe('joined')
})

test('adding somebody by hand ends their request', async () => {
  const { course, teacher, join, joining } = await createCode({ approval: true })
  const person = await createPerson(2)
  await join(person)
  await addMember({ course, teacher }, person)
  expect((await joining()).waiting).toEqual([])
})

test('members leave and come back; others have nothing to leave', async () => {
  const { path, teacher, ta, student, join } = await createCode()
  const [outsider, admin] = await createPeople(2, 0)
  const leave = async (as: typeof ta) => (await as.post(`${path}/leave`)).status
  const statuses = []
  for (const person of [ta, student, student, teacher, admin, outsider])
    statuses.push(await leave(person))
  expect(statuses).toEqual([200, 200, 404, 403, 403, 404])
  expect((await student.get(path)).status).toBe(404)
  expect(outcome(await join(student))).toBe('joined')
})

test('who comes and goes takes one place of a code', async () => {
  const { path, join, joining } = await createCode({ most: 2 })
  const [restless, other] = await createPeople(2, 2)
  for (let time = 0; time < 3; time += 1) {
    expect(outcome(await join(restless))).toBe('joined')
    await restless.post(`${path}/leave`)
  }
  expect((await joining()).codes[0].joined).toBe(0)
  expect(outcome(await join(restless))).toBe('joined')
  expect(outcome(await join(other))).toBe('joined')
  expect((await joining()).codes[0].joined).toBe(2)
})

test('joining and leaving make open edits of the members stale', async () => {
  const { path, teacher, join } = await createCode()
  const person = await createPerson(2)
  const tag = async () => (await teacher.get(path)).headers.get('ETag') ?? ''
  const replace = async (etag: string) =>
    (await teacher.put(path, { TAs: [], students: [] }, { 'If-Match': etag })).code
  const before = await tag()
  await join(person)
  expect(await replace(before)).toBe('stale_edit')
  const joined = await tag()
  await person.post(`${path}/leave`)
  expect(await replace(joined)).toBe('stale_edit')
})
