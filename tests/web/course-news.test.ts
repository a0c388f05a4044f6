/** News that staff have just written: the notice above the page, and news missed without a connection. */
import { beforeEach, expect, test } from 'vitest'
import {
  addNews,
  catchUpOnNews,
  forgetNews,
  isLookedAt,
  newsQuery,
} from '../../web/lib/live/course-news.ts'
import { queryClient } from '../../web/lib/api/query-client.ts'
import { okText, serveApi } from './fixtures/api-server.ts'
import { idOf } from './fixtures/rendered.tsx'

const api = serveApi()

beforeEach(() => queryClient.clear())

const announcement = (number: number, course = 'A') =>
  ({ kind: 'announcement', course, annId: idOf(number) }) as const
const answer = (number: number) =>
  ({ kind: 'question', questionId: idOf(number), isAnswer: true }) as const
const shown = () => queryClient.getQueryData(newsQuery.queryKey)

/** An id made after this moment; a greater number is later. */
const laterId = (number: number) =>
  `${(Date.now() + 60_000 + number).toString(16).padStart(12, '0')}${'0'.repeat(12)}`

const item = (annId: string, username = 'tina') => ({
  annId,
  title: 'x',
  markdown: '',
  pinned: false,
  createTime: 1,
  updateTime: 1,
  creator: { username, displayedName: '', role: 1 },
  updater: { username, displayedName: '', role: 1 },
  cut: false,
})

test('the newest three are told, each once and the newest last, until they are read', () => {
  for (const news of [announcement(1), answer(2), announcement(3)]) addNews(news)
  expect(shown()).toEqual([announcement(1), answer(2), announcement(3)])
  addNews(announcement(1))
  expect(shown()).toEqual([answer(2), announcement(3), announcement(1)])
  addNews(answer(4))
  expect(shown()).toEqual([announcement(3), announcement(1), answer(4)])
  forgetNews(announcement(1))
  expect(shown()).toEqual([announcement(3), answer(4)])
})

test('a course that is looked at for the first time has no news, and asks for none', async () => {
  expect(isLookedAt('First')).toBe(false)
  await catchUpOnNews('First', 'ann')
  expect(isLookedAt('First')).toBe(true)
  expect([api.noted, shown() ?? []]).toEqual([[], []])
})

test('what was missed is told in the order of time, but not what one has written or seen', async () => {
  await catchUpOnNews('Missed', 'ann')
  const [own, first, second, third] = [1, 2, 3, 4].map(laterId)
  const list = [item(second ?? ''), item(idOf(1)), item(own ?? '', 'ann'), item(first ?? '')]
  api.answer = (response) => response.end(okText(list))
  await catchUpOnNews('Missed', 'ann')
  expect(api.noted.map(({ call }) => call)).toEqual(['GET /course/Missed/ann'])
  const missed = (annId?: string) => ({ kind: 'announcement', course: 'Missed', annId })
  expect(shown()).toEqual([missed(first), missed(second)])
  // News that a hint has brought is no longer missed.
  addNews({ kind: 'announcement', course: 'Missed', annId: third ?? '' })
  list.unshift(item(third ?? ''))
  queryClient.clear()
  await catchUpOnNews('Missed', 'ann')
  expect(shown() ?? []).toEqual([])
})
