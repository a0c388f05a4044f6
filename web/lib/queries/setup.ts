/** What the installation still needs, as home and the set-up page show it. */
import { queryOptions } from '@tanstack/react-query'
import { setupItems } from '#contract/installation/setup'
import { callApi, queryString } from '../api/api.ts'

/** GET /setup, for admins. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) =>
    callApi(`/setup${queryString({ page: window.location.origin })}`, setupItems, { signal }),
})
