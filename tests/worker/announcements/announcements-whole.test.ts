/** Every field of announcements in two courses: text, author and times; and the effect of an edit on the rest. */
import { expect, test } from 'vitest'
import { COUNT_LIMITS } from '#contract/limits'
import { allRows, numbersBelow, runSql } from '../support/sql.ts'
import { createCourse, createPerson, type Person } from '../support/world.ts'

function infoOf({ username }: Person, role = 2) {
  return { username, displayedName: `The ${username}`, role }
}

test('has author, updater and both times; an edit or end of one leaves the others', async () => {
  const [{ course, teacher, ta, student }, beside] = [await createCourse(), await createCourse()]
  const form = { title: 'First', markdown: '# Text', pinned: true, courseName: course }
  const headers = { 'CF-Connecting-IP': '203.0.113.90' }
  const { annId, createTime } = (await ta.post('/ann', form, headers)).data
  const next = (await ta.post('/ann', { title: 'Next', markdown: '', courseName: course })).data
    .annId
  const theirs = (await beside.ta.post('/ann', { ...form, courseName: beside.course })).data.annId
  await runSql`update announcements set created_at = 5, updated_at = 5 where course_id in
    (select id from courses where name in (${course}, ${beside.course}))`
  expect(createTime).toBeGreaterThan(5)
  const times = { createTime: 5, updateTime: 5 }
  const made = {
    annId,
    title: 'First',
    markdown: '# Text',
    pinned: true,
    ...times,
    creator: infoOf(ta),
    updater: infoOf(ta),
  }
  const other = { ...made, annId: next, title: 'Next', markdown: '', pinned: false }
  const list = async (as = student, of = course) => (await as.get(`/course/${of}/ann`)).data
  const cut = false
  expect(await list()).toEqual([
    { ...made, cut },
    { ...other, cut },
  ])
  expect((await student.get(`/ann/${course}/${annId}`)).data).toEqual(made)
  expect((await student.get(`/ann/${course}/${theirs}`)).code).toBe('announcement_not_found')
  const edit = { annId, title: 'Edited', markdown: 'Other', pinned: false }
  expect((await teacher.put('/ann', edit)).status).toBe(200)
  const updateTime = expect.any(Number)
  const edited = { ...made, ...edit, updateTime, updater: infoOf(teacher, 1) }
  const after = (await student.get(`/ann/${course}/${annId}`)).data
  expect(after).toEqual(edited)
  expect(after.updateTime).toBeGreaterThan(5)
  expect(await list()).toEqual([
    { ...other, cut },
    { ...edited, cut },
  ])
  await teacher.delete('/ann', { annId })
  expect(await list()).toEqual([{ ...other, cut }])
  expect((await student.get(`/ann/${course}/${annId}`)).code).toBe('announcement_not_found')
  expect((await teacher.put('/ann', edit)).code).toBe('announcement_not_found')
  const [theirOwn] = await list(beside.student, beside.course)
  const by = infoOf(beside.ta)
  expect(theirOwn).toEqual({ ...made, annId: theirs, creator: by, updater: by, cut })
  const noted = await allRows`select actor_id as actor, action, detail, ip from audit_entries
    where subject = ${annId} order by id`
  const ip = '127.0.0.1'
  expect(noted).toEqual([
    {
      actor: ta.id,
      action: 'announcement.create',
      detail: JSON.stringify({ course }),
      ip: '203.0.113.90',
    },
    { actor: teacher.id, action: 'announcement.edit', detail: '{}', ip },
    { actor: teacher.id, action: 'announcement.delete', detail: '{}', ip },
  ])
})

test('a page has as many as usual unless asked otherwise; one whose author was erased has no name', async () => {
  const { course, ta, student } = await createCourse()
  const { annId } = (await ta.post('/ann', { title: 'T', markdown: '', courseName: course })).data
  await runSql`insert into announcements
    select printf('a%023x', json_each.value), course_id, title, markdown, pinned, creator_id, updater_id,
       version, created_at, updated_at, deleted_at from announcements, json_each(${numbersBelow(COUNT_LIMITS.listItemsDefault)})
       where announcements.id = ${annId}`
  const items = async (query = '') => (await student.get(`/course/${course}/ann${query}`)).data
  expect(await items()).toHaveLength(COUNT_LIMITS.listItemsDefault)
  expect(await items('?limit=200')).toHaveLength(COUNT_LIMITS.listItemsDefault + 1)
  const admin = await createPerson(0)
  await admin.delete(`/user/${ta.username}`)
  const gone = { username: `*${ta.id}`, displayedName: '', role: 2 }
  expect((await items('?limit=1'))[0]).toMatchObject({ creator: gone, updater: gone })
})
