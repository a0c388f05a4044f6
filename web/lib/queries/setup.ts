/** What the installation still needs, as home and the set-up page show it. */
import { queryOptions } from '@tanstack/react-query'
import { setupItems } from '#contract/installation/setup'
import { call } from '../api/call.ts'

/** GET /setup, for admins. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) =>
    call('GET /setup', { query: { page: window.location.origin }, signal, as: setupItems }),
})
