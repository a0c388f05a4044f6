/** The calendar feed: whose due times it tells, and by which link. */
import { expect, test } from 'vitest'
import { sha256Hex } from '../../worker/lib/ids.ts'
import { createDatedHomework, HOUR } from './support/dated-homework.ts'
import { firstValue, runSql } from './support/sql.ts'
import { addMember, addStudents, createPerson, fetchApi, type Person } from './support/world.ts'

/** Makes a person's link; answers its path below `/api`, and its token. */
async function makeLink(as: Person) {
  const { data } = await as.post('/calendar-link')
  const url = new URL(data.url)
  return {
    path: url.pathname.slice('/api'.length) + url.search,
    token: url.searchParams.get('token') ?? '',
  }
}

/** The lines of a feed; folded ones as one (RFC 5545, section 3.1). */
async function readFeed(path: string) {
  const answer = await fetchApi('GET', path)
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  return { headers: answer.headers, lines: text.replaceAll('\r\n ', '').split('\r\n') }
}

const stampOf = (seconds: number) =>
  new Date(seconds * 1000).toISOString().replaceAll(/[-:]|\.000/g, '')

test('a feed has one’s own due times in all one’s courses, and no homework that one is excused from', async () => {
  const [one, two, foreign] = [
    await createDatedHomework(),
    await createDatedHomework(),
    await createDatedHomework(),
  ]
  const { student } = one
  await addMember(two, student)
  const override = { username: student.username, due: one.now + 5 * HOUR, reason: 'ill' }
  await one.ta.put(`${one.path}/overrides`, { overrides: [override] })
  const { path } = await makeLink(student)
  const { headers, lines } = await readFeed(path)
  expect(headers.get('Content-Type')).toBe('text/calendar; charset=utf-8')
  expect(headers.get('Cache-Control')).toBe('private, max-age=3600')
  const having = (start: string) => lines.filter((line) => line.startsWith(start))
  expect(lines[0]).toBe('BEGIN:VCALENDAR')
  expect(having('DTSTART:')).toEqual([
    `DTSTART:${stampOf(two.form.end)}`,
    `DTSTART:${stampOf(one.now + 5 * HOUR)}`,
  ])
  expect(having('SUMMARY:')).toEqual([
    `SUMMARY:${two.form.name} (${two.course})`,
    `SUMMARY:${one.form.name} (${one.course})`,
  ])
  const hash = `#homework-${one.homeworkId}`
  expect(having('URL')).toContainEqual(
    expect.stringMatching(
      new RegExp(`/course/${encodeURIComponent(one.course)}/homeworks${hash}$`),
    ),
  )
  expect(lines.join()).not.toContain(foreign.form.name)
  expect(lines.join()).not.toContain('ill')
  await two.ta.put(`${two.path}/overrides`, {
    overrides: [{ username: student.username, excused: true }],
  })
  expect((await readFeed(path)).lines.join()).not.toContain(two.form.name)
  const { path: staffPath } = await makeLink(one.teacher)
  expect((await readFeed(staffPath)).lines).toContain(`DTSTART:${stampOf(one.form.end)}`)
})

test('a feed that has not changed is not sent again, whatever happens to classmates’ dates; a moved due time is', async () => {
  const world = await createDatedHomework()
  const { path: homework, homeworkId, student, ta, now } = world
  const [classmate] = await addStudents(world, 1)
  // An older edit, so that a new one would show.
  await runSql`update homeworks set updated_at = ${now - 60} where id = ${homeworkId}`
  const { path } = await makeLink(student)
  const headers = { 'If-None-Match': (await readFeed(path)).headers.get('ETag') ?? '' }
  expect((await fetchApi('GET', path, { headers })).status).toBe(304)
  const set = ({ username }: Person) =>
    ta.put(`${homework}/overrides`, { overrides: [{ username, due: now + HOUR }] })
  expect((await set(classmate ?? student)).status).toBe(200)
  expect((await fetchApi('GET', path, { headers })).status).toBe(304)
  expect((await set(student)).status).toBe(200)
  expect((await fetchApi('GET', path, { headers })).status).toBe(200)
})

test('a link is kept as a hash, ends with the next one, when it is deleted, and with the account', async () => {
  const person = await createPerson(2)
  const refused = async (path: string) => {
    const answer = await fetchApi('GET', path)
    return [answer.status, await answer.json()]
  }
  const bad = await refused('/calendar?token=unknown')
  expect(bad).toMatchObject([400, { code: 'bad_link' }])
  expect((await person.get('/calendar-link')).data).toEqual({ createdAt: null })
  const first = await makeLink(person)
  expect((await person.get('/calendar-link')).data).toEqual({ createdAt: expect.any(Number) })
  expect(await firstValue`select token_hash from calendar_links where user_id = ${person.id}`).toBe(
    await sha256Hex(first.token),
  )
  const second = await makeLink(person)
  expect(await refused(first.path)).toEqual(bad)
  await readFeed(second.path)
  await runSql`update users set active = 0 where id = ${person.id}`
  expect(await refused(second.path)).toEqual(bad)
  await runSql`update users set active = 1 where id = ${person.id}`
  await readFeed(second.path)
  expect((await person.delete('/calendar-link')).status).toBe(200)
  expect(await refused(second.path)).toEqual(bad)
  const admin = await createPerson(0)
  const { items } = (await admin.get(`/audit?actor=${person.username}`)).data
  const subjectName = person.username
  expect(items).toMatchObject([
    { action: 'calendar.delete', subjectName },
    { action: 'calendar.create', subjectName },
    { action: 'calendar.create', subjectName },
  ])
})
