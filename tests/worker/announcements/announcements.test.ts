import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { PUBLIC_COURSE } from '#contract/fields'
import { TEXT_LIMITS } from '#contract/limits'
import { openDb } from '../../../worker/db/client.ts'
import {
  MOST_ANNOUNCEMENTS,
  listAnnouncements,
} from '../../../worker/features/announcements/queries.ts'
import { numbersBelow, runSql } from '../support/sql.ts'
import { call, createCourse, createPeople, createPerson, fetchApi } from '../support/world.ts'

test('a course has at most so many announcements; deleted ones make room', async () => {
  const { course, ta, student } = await createCourse()
  const json = { title: 'T', markdown: '', courseName: course }
  const first = await ta.post('/ann', json)
  await runSql`insert into announcements
    select printf('%024x', json_each.value), course_id, title, markdown, pinned, creator_id, updater_id,
       version, created_at, updated_at, deleted_at from announcements, json_each(${numbersBelow(MOST_ANNOUNCEMENTS - 2)})
       where announcements.id = ${first.data.annId}`
  expect((await ta.post('/ann', json)).status).toBe(200)
  expect(await ta.post('/ann', json)).toMatchObject({ status: 409, code: 'too_many_announcements' })
  await ta.delete('/ann', { annId: first.data.annId })
  const answers = await Promise.all([1, 2, 3].map(() => ta.post('/ann', json)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  const path = `/course/${course}/ann?limit=${MOST_ANNOUNCEMENTS}`
  const read = await student.get(path)
  expect(read.data).toHaveLength(MOST_ANNOUNCEMENTS)
  const elsewhere = await createCourse()
  const there = { ...json, courseName: elsewhere.course }
  expect((await elsewhere.ta.post('/ann', there)).status).toBe(200)
})

describe('announcements', () => {
  test('the system’s are public and written by admins; a course’s are for its members', async () => {
    const admin = await createPerson(0)
    const { course, ta, student } = await createCourse()
    const json = { title: 'Welcome', markdown: 'to the judge', pinned: true }
    const made = await admin.post('/ann', json)
    expect((await call('GET', `/ann/${made.data.annId}`)).data).toMatchObject({
      ...json,
      creator: { username: admin.username },
    })
    expect((await ta.post('/ann', json)).status).toBe(403)
    const own = await ta.post('/ann', { ...json, courseName: course })
    expect((await student.post('/ann', { ...json, courseName: course })).status).toBe(403)
    expect((await call('GET', `/ann/${own.data.annId}`)).status).toBe(404)
    expect((await student.get(`/ann/${course}/${own.data.annId}`)).data.title).toBe('Welcome')
    await ta.put('/ann', { annId: own.data.annId, title: 'Changed', markdown: '', pinned: false })
    expect((await student.get(`/course/${course}/ann`)).data).toMatchObject([
      { title: 'Changed', pinned: false },
    ])
    expect((await student.delete('/ann', { annId: own.data.annId })).status).toBe(403)
    await ta.delete('/ann', { annId: own.data.annId })
    expect((await student.get(`/course/${course}/ann`)).data).toEqual([])
  })

  test('only admins write in Public: others are refused, not told that there is nothing', async () => {
    const [admin, teacher] = await createPeople(0, 1)
    const json = { title: 'System', markdown: '' }
    const { annId } = (await admin.post('/ann', json)).data
    expect((await teacher.post('/ann', json)).status).toBe(403)
    const edit = { ...json, annId, pinned: false }
    expect((await teacher.put('/ann', edit)).status).toBe(403)
    expect((await teacher.delete('/ann', { annId })).status).toBe(403)
    expect((await call('PUT', '/ann', { json: edit })).status).toBe(401)
  })

  test('another course’s cannot be told from one that is not there', async () => {
    const { course, ta } = await createCourse()
    const { teacher: stranger } = await createCourse()
    const json = { title: 'Own', markdown: '', courseName: course }
    const { annId } = (await ta.post('/ann', json)).data
    const edit = { annId, title: 'Theirs', markdown: '', pinned: false }
    const foreign = await stranger.put('/ann', edit)
    const missing = await stranger.put('/ann', { ...edit, annId: 'f'.repeat(24) })
    expect(foreign).toMatchObject({ status: 404, code: 'announcement_not_found' })
    expect(missing).toMatchObject({ status: 404, code: foreign.code, message: foreign.message })
  })

  test('of a deleted course are not changed; restored, it has them as they were', async () => {
    const { course, teacher, student } = await createCourse()
    const json = { title: 'First', markdown: '', courseName: course }
    const { annId } = (await teacher.post('/ann', json)).data
    await teacher.delete('/course', { course })
    const edit = { annId, title: 'Second', markdown: '', pinned: false }
    const refusal = { status: 404, code: 'announcement_not_found' }
    expect(await teacher.put('/ann', edit)).toMatchObject(refusal)
    expect(await teacher.delete('/ann', { annId })).toMatchObject(refusal)
    await teacher.post(`/course/${course}/restore`)
    expect((await student.get(`/ann/${course}/${annId}`)).data.title).toBe('First')
  })

  test('author and updater are two people; a stale edit or deletion is refused', async () => {
    const { course, teacher, ta, student } = await createCourse()
    const json = { title: 'First', markdown: 'text', courseName: course }
    const { annId } = (await ta.post('/ann', json)).data
    const path = `/ann/${course}/${annId}`
    const headers = { 'If-Match': (await teacher.get(path)).headers.get('ETag') ?? '' }
    const edit = { annId, title: 'Second', markdown: 'text', pinned: true }
    expect((await teacher.put('/ann', edit, headers)).status).toBe(200)
    const stale = { ...edit, title: 'Third' }
    expect((await ta.put('/ann', stale, headers)).code).toBe('stale_edit')
    expect((await ta.delete('/ann', { annId }, headers)).code).toBe('stale_edit')
    const read = await student.get(path)
    expect(read.data).toMatchObject({
      title: 'Second',
      creator: { username: ta.username },
      updater: { username: teacher.username },
    })
    const unchanged = { 'If-None-Match': read.headers.get('ETag') ?? '' }
    expect((await student.get(path, unchanged)).status).toBe(304)
    expect((await ta.put('/ann', stale)).status).toBe(200)
    expect((await student.get(path, unchanged)).status).toBe(200)
  })

  test('come pinned first, then newest first', async () => {
    const { course, ta, student } = await createCourse()
    for (const [title, pinned] of [
      ['old pinned', true],
      ['old', false],
      ['new pinned', true],
      ['new', false],
    ] as const) {
      const json = { title, markdown: '', pinned, courseName: course }
      await ta.post('/ann', json)
    }
    const list = await student.get(`/course/${course}/ann`)
    expect(list.data.map((item: { title: string }) => item.title)).toEqual([
      'new pinned',
      'old pinned',
      'new',
      'old',
    ])
  })
})

describe('a list of announcements', () => {
  test('comes in pages; one deleted or pinned meanwhile neither ends it nor hides others', async () => {
    const { course, ta, student } = await createCourse()
    for (let number = 1; number <= 7; number += 1)
      await ta.post('/ann', {
        title: `${number}`,
        markdown: '',
        pinned: number <= 2,
        courseName: course,
      })
    type Item = { annId: string; title: string }
    async function page(query: string): Promise<Item[]> {
      return (await student.get(`/course/${course}/ann?${query}`)).data
    }
    const titles = (items: Item[]) => items.map(({ title }) => title)
    const first = await page('limit=3')
    expect(titles(first)).toEqual(['2', '1', '7'])
    const last = first.at(-1)?.annId ?? ''
    await ta.delete('/ann', { annId: last })
    const second = await page(`limit=3&after=${last}`)
    expect(titles(second)).toEqual(['6', '5', '4'])
    expect(titles(await page(`limit=3&after=${second.at(-1)?.annId}`))).toEqual(['3'])
    expect(await page(`after=${'f'.repeat(24)}`)).toEqual([])
    for (const bad of ['limit=0', 'limit=201', 'limit=x', 'after=x', `after=${'a'.repeat(23)}`])
      expect((await student.get(`/course/${course}/ann?${bad}`)).code, bad).toBe('bad_query')
  })

  test('carries the beginning of a long text and says so; one announcement carries it whole', async () => {
    const { course, ta, student } = await createCourse()
    const short = '數'.repeat(TEXT_LIMITS.announcementExcerpt)
    const long = `${'𝒳'.repeat(TEXT_LIMITS.announcementExcerpt)}, and so on`
    const ids = []
    for (const markdown of [short, long])
      ids.push((await ta.post('/ann', { title: 'T', markdown, courseName: course })).data.annId)
    const list = await student.get(`/course/${course}/ann`)
    expect(list.data).toMatchObject([
      { markdown: '𝒳'.repeat(TEXT_LIMITS.announcementExcerpt), cut: true },
      { markdown: short, cut: false },
    ])
    expect((await student.get(`/ann/${course}/${ids[1]}`)).data.markdown).toBe(long)
  })

  test('takes the beginnings of texts out of its index and reads no text', async () => {
    const statements: string[] = []
    const recording = new Proxy(env.DB, {
      get(target, key) {
        if (key !== 'prepare') return Reflect.get(target, key)
        return (text: string) => {
          statements.push(text)
          return target.prepare(text)
        }
      },
    })
    for (const after of [undefined, 'f'.repeat(24)])
      await listAnnouncements(openDb(recording), PUBLIC_COURSE, { limit: 50, after })
    expect(statements).toHaveLength(2)
    for (const text of statements) {
      const { results } = await env.DB.prepare(`explain ${text}`)
        .bind(...(text.match(/\?/g) ?? []).map(() => '0'))
        .all<{ opcode: string; p4: string }>()
      expect(results.some(({ opcode }) => opcode === 'ResultRow')).toBe(true)
      expect(results.filter(({ p4 }) => /^(substr|length)\(/.test(p4))).toEqual([])
    }
  })

  test('stays small however long its texts are', async () => {
    const admin = await createPerson(0)
    const json = { title: 'T', markdown: 'x'.repeat(TEXT_LIMITS.announcementMarkdown) }
    const { annId } = (await admin.post('/ann', json)).data
    await runSql`insert into announcements
      select printf('e%023x', json_each.value), course_id, title, markdown, pinned, creator_id, updater_id,
         version, created_at, updated_at, deleted_at from announcements, json_each(${numbersBelow(150)})
         where announcements.id = ${annId}`
    const response = await fetchApi('GET', '/ann?limit=200')
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(200_000)
  })
})
