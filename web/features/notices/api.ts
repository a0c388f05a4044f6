/** Queries for the list of notices and for how the user hears of them. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { COUNT_LIMITS } from '#contract/limits'
import { noticeList, ownNoticeSettings } from '#contract/notices'
import { apiQuery } from '../../lib/api/api-query.ts'
import { call } from '../../lib/api/call.ts'

/** GET /notices, page by page; not kept after the page is left, because what is new changes with each visit. */
export const noticesQuery = infiniteQueryOptions({
  queryKey: ['notices', 'list'],
  queryFn: ({ signal, pageParam }) =>
    call('GET /notices', { query: { before: pageParam }, signal, as: noticeList }),
  initialPageParam: '',
  // A shorter page is the last one.
  getNextPageParam: ({ items }) =>
    items.length < COUNT_LIMITS.notices ? null : String(items.at(-1)?.id),
  gcTime: 0,
})

/** GET /notices/settings. */
export const noticeSettingsQuery = apiQuery(['notice-settings'], 'GET /notices/settings', {
  as: ownNoticeSettings,
})
