import { createExecutionContext } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { app } from '../../../worker/app.ts'
import { UNLIMITED } from '../support/rates.ts'
import { createCourse, createProblem, problemForm, requestOf } from '../support/world.ts'

/** Texts that make careless patterns and queries slow or wrong. */
const NASTY = [
  "' or 1=1 --",
  '"; drop table problems; --',
  '%',
  '_',
  '\\',
  '%_'.repeat(30),
  'é'.repeat(60),
  '\0',
  '*'.repeat(64),
  '(a+)+$',
]

describe('SQL in filters and cursors', () => {
  test('search text is text: wildcards and quotes find themselves and nothing else [IV5] [IV7]', async () => {
    const { course, teacher } = await createCourse()
    const names = ['100% done', 'under_score', "O'Brien"]
    for (const problemName of names)
      await teacher.post('/problem/manage', {
        course,
        ...problemForm({ problemName, tags: ["it's"] }),
      })
    const search = async (query: string) =>
      (await teacher.get(`/problem?course=${course}&${query}`)).data.items.map(
        (item: { problemName: string }) => item.problemName,
      )
    expect(await search('name=%25')).toEqual(['100% done'])
    expect(await search('name=_')).toEqual(['under_score'])
    expect(await search(`name=${encodeURIComponent("'")}`)).toEqual(["O'Brien"])
    expect(await search(`tags=${encodeURIComponent("it's")}`)).toEqual(names)
    expect(await search(`tags=${encodeURIComponent("it's,%")}`)).toEqual([])
  })

  test('nasty text in any filter is answered, never by a fault of ours', async () => {
    const { course, teacher, problemId } = await createProblem()
    for (const text of NASTY) {
      const value = encodeURIComponent(text)
      for (const path of [
        `/problem?course=${course}&name=${value}`,
        `/problem?course=${course}&tags=${value}`,
        `/problem?course=${value}`,
        `/problem?course=${course}&cursor=${value}`,
        `/problem?course=${course}&limit=${value}`,
        `/problem/${value}`,
        `/problem/${problemId}${value}`,
        `/homework/${value}`,
        `/course/${value}`,
        `/course/${value}/ann`,
        `/course/${course}/scoreboard?pids=${value}`,
        `/course/${course}/scoreboard?start=${value}`,
        `/ann/${value}`,
        `/ann/${course}/${value}`,
      ]) {
        const request = requestOf('GET', path, { as: teacher })
        const { status } = await app.fetch(request, UNLIMITED, createExecutionContext())
        expect([200, 400, 404], path).toContain(status)
      }
    }
  })

  test('as many tags as fit into a query are one parameter', async () => {
    const { course, teacher } = await createProblem()
    const tags = Array.from({ length: 250 }, () => 'a').join(',')
    const answer = await teacher.get(`/problem?course=${course}&tags=${tags}`)
    expect(answer).toMatchObject({ status: 200, data: { items: [], next: null } })
  })

  test('forged cursors are refused; one from another course shows only this course [IV7]', async () => {
    const { course, teacher, problemId } = await createProblem()
    const foreign = await createProblem()
    const cursorOf = (position: unknown) =>
      Buffer.from(JSON.stringify(position)).toString('base64url')
    const get = (cursor: string) => teacher.get(`/problem?course=${course}&cursor=${cursor}`)
    for (const position of ['x', -1, 0, 1.5, null, [1], { id: 1 }, '1 or 1=1', 1e308, true])
      expect((await get(cursorOf(position))).status, JSON.stringify(position)).toBe(400)
    expect((await get('!!!')).status).toBe(400)
    const ids = (await get(cursorOf(1))).data.items.map(
      (item: { problemId: number }) => item.problemId,
    )
    expect(ids).toEqual([problemId].filter((id) => id > 1))
    expect(ids).not.toContain(foreign.problemId)
  })

  test('SQL in names is stored as text and harms nothing', async () => {
    const { course, teacher, problemId } = await createProblem()
    const name = "'); drop table homeworks; --"
    const json = { name, courseName: course, start: 1, end: 2, problemIds: [problemId] }
    const made = await teacher.post('/homework', json)
    expect((await teacher.get(`/homework/${made.data.id}`)).data.name).toBe(name)
  })
})

describe('long input', () => {
  test('longer than a LIKE pattern may be, a search still finds [IV5]', async () => {
    const { course, teacher } = await createCourse()
    const problemName = 'ü'.repeat(60)
    await teacher.post('/problem/manage', { course, ...problemForm({ problemName }) })
    const found = await teacher.get(`/problem?course=${course}&name=${'ü'.repeat(58)}`)
    expect(found.data.items).toHaveLength(1)
  })
})
