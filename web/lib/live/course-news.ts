/** The live hints about what staff have just written in the user's courses, kept until the user reads or closes them. */
import { queryOptions, skipToken } from '@tanstack/react-query'
import * as z from 'zod'
import { announcementItem } from '#contract/announcements'
import type { LiveHint } from '#contract/live'
import { call } from '../api/call.ts'
import { queryClient, refresh } from '../api/query-client.ts'
import { serverNowMs } from './server-clock.ts'

/** A live hint about an announcement, or about an answer to the user's own question. */
export type News = Extract<LiveHint, { kind: 'announcement' | 'question' }>

/** At most this many news are kept; the lists show older news. */
const KEPT = 3

/** The news are kept in the query cache, so that they are dropped with the person's other data. */
export const newsQuery = queryOptions<News[]>({
  queryKey: ['news'],
  queryFn: skipToken,
  initialData: [],
  staleTime: Infinity,
  gcTime: Infinity,
})

/** The id of what the news are about. */
export function idOf(news: News): string {
  return news.kind === 'announcement' ? news.annId : news.questionId
}

/** Forgets news that were read or closed. */
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

/** Whether the user has opened a course before: then hints may have been missed since. */
export const isLookedAt = (course: string) => newest.has(course)

/** The lowest id that the server could give at this moment: ids begin with the time in ms. */
const idOfNow = () => serverNowMs().toString(16).padStart(12, '0')

/** Adds news that a hint has just told. */
export function addNews(news: News): void {
  if (news.kind === 'announcement') noteNewest(news.course, news.annId)
  forgetNews(news)
  queryClient.setQueryData<News[]>(newsQuery.queryKey, (before = []) =>
    [...before, news].slice(-KEPT),
  )
}

/**
 * Adds a course's announcements since the last call, because hints may have been missed. The first call for a course
 * only notes the time.
 * @param username the user, whose own announcements are not news
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
