/** What staff have just written in one's courses, by the hints that told it, until it is read or closed. */
import { queryOptions, skipToken } from '@tanstack/react-query'
import * as z from 'zod'
import { announcementItem } from '#contract/announcements'
import type { LiveHint } from '#contract/live'
import { call } from '../api/call.ts'
import { queryClient, refresh } from '../api/query-client.ts'
import { serverNowMs } from './server-clock.ts'

/** An announcement, or an answer to a question of one's own. */
export type News = Extract<LiveHint, { kind: 'announcement' | 'question' }>

/** The most that are kept; older ones are in the lists. */
const KEPT = 3

/** Among what is read of the API, so that it goes with the person. */
export const newsQuery = queryOptions<News[]>({
  queryKey: ['news'],
  queryFn: skipToken,
  initialData: [],
  staleTime: Infinity,
  gcTime: Infinity,
})

function idOf(news: News): string {
  return news.kind === 'announcement' ? news.annId : news.questionId
}

/** Forgets what has been read or closed. */
export function forgetNews(news: News): void {
  queryClient.setQueryData<News[]>(newsQuery.queryKey, (before = []) =>
    before.filter((other) => idOf(other) !== idOf(news)),
  )
}

/** The newest announcement of each course that this page knows of. Ids are in the order of time. */
const newest = new Map<string, string>()

function noteNewest(course: string, annId = ''): void {
  if (annId >= (newest.get(course) ?? '')) newest.set(course, annId)
}

/** Whether a course has been looked at before: then hints may have been missed since. */
export const isLookedAt = (course: string) => newest.has(course)

/** The first id of this moment, by the server's clock: ids begin with the ms of their time. */
const idOfNow = () => serverNowMs().toString(16).padStart(12, '0')

/** Adds what has just been told. */
export function addNews(news: News): void {
  if (news.kind === 'announcement') noteNewest(news.course, news.annId)
  forgetNews(news)
  queryClient.setQueryData<News[]>(newsQuery.queryKey, (before = []) =>
    [...before, news].slice(-KEPT),
  )
}

/**
 * Adds the announcements of a course since this was last called, as hints may have been missed. The first time it only notes the
 * time.
 * @param username whose own ones are not news
 */
export async function catchUpOnNews(course: string, username: string): Promise<void> {
  const known = newest.get(course)
  if (known === undefined) return noteNewest(course, idOfNow())
  const items = await call('GET /course/:name/ann', {
    params: { name: course },
    as: z.array(announcementItem),
  })
  items.sort((left, right) => (left.annId < right.annId ? -1 : 1))
  noteNewest(course, items.at(-1)?.annId)
  const missed = items.filter(
    ({ annId, creator }) => annId > known && creator.username !== username,
  )
  for (const { annId } of missed) addNews({ kind: 'announcement', course, annId })
  if (missed.length > 0) await refresh(['announcements', course])
}
