/** Who is signed in. Session state: −1 not yet validated, 1 signed in, 0 not signed in (spec §4). */
import { queryOptions, useQuery, useQueryClient, type Query } from '@tanstack/react-query'
import { me, type Me } from '#contract/auth'
import { ROLES } from '#contract/roles'
import { anything, callApi, forgetReads } from './api.ts'

export type SessionState = -1 | 0 | 1

export interface Session {
  state: SessionState
  user: Me | null
}

async function fetchMe(signal: AbortSignal): Promise<Me | null> {
  try {
    return await callApi('/auth/me', me, { signal })
  } catch (error) {
    if (signal.aborted) throw error
    // A failure counts as not signed in (spec §8).
    return null
  }
}

/** GET /auth/me; null when not signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => fetchMe(signal),
  staleTime: 60_000,
  networkMode: 'always',
})

/** The current session. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (data === undefined) return { state: -1, user: null }
  return data === null ? { state: 0, user: null } : { state: 1, user: data }
}

/** The global role: Guest −1 for who is not signed in. */
export function roleOf(user: Me | null): Me['role'] | typeof ROLES.guest {
  return user?.role ?? ROLES.guest
}

function isNotSession(query: Query): boolean {
  return query.queryKey[0] !== sessionQuery.queryKey[0]
}

/** Ends the session here and on the server. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  return async function signOut() {
    await callApi('/auth/session', anything, { method: 'DELETE' })
    forgetReads()
    client.setQueryData(sessionQuery.queryKey, null)
    // What is on screen is read anew as a guest, the rest is forgotten.
    client.removeQueries({ type: 'inactive' })
    await client.resetQueries({ predicate: isNotSession })
  }
}
