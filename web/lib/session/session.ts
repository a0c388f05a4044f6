/** Who is signed in. Session state: −1 not yet validated, 1 signed in, 0 not signed in. */
import { queryOptions, useQuery, type Query } from '@tanstack/react-query'
import { useState } from 'react'
import { me, type LoginBody, type Me } from '#contract/people/auth'
import { roleCan, ROLES, type Capability } from '#contract/roles'
import { call } from '../../lib/api/call.ts'
import { ApiError, isRefusal, LOCAL_ERROR_CODES } from '../api/api-error.ts'
import { forgetReads, noteRefusal, onSignedOut } from '../api/api.ts'
import { dropBelongings, dropBelongingsOfOthers, noteSharedComputer } from './belongings.ts'
import { removeEarlyCode } from '../drafts/early-code.ts'
import { noteFailedRead, queryClient } from '../api/query-client.ts'
import { createStore } from '../store.ts'

type SessionState = -1 | 0 | 1

export interface Session {
  state: SessionState
  user: Me | null
}

const SESSION_KEY = ['session'] as const

/** Whether the session ended while a page was open; the page stays until the user has signed in again. */
export const sessionEnded = createStore(false)

function isNotSession(query: Query): boolean {
  return query.queryKey[0] !== SESSION_KEY[0]
}

/** Counts how often another person has replaced the user of an open page, whose input does not belong to the new person. */
export const personChanges = createStore(0)

/** The channel that tells the other tabs of this browser who has signed out. */
let signOuts: BroadcastChannel | undefined

/** Drops one user's data before another user reads; visible data are read again. */
async function forgetPerson(): Promise<void> {
  removeEarlyCode()
  forgetReads()
  queryClient.removeQueries({ type: 'inactive', predicate: isNotSession })
  await queryClient.resetQueries({ predicate: isNotSession })
}

function sessionIsOver(): ApiError {
  return new ApiError({ status: 401, code: 'not_signed_in', message: 'The session is over.' })
}

async function fetchMe(signal: AbortSignal): Promise<Me | null> {
  const known = queryClient.getQueryData<Me | null>(SESSION_KEY)
  try {
    // The call is lenient: being a guest is no error, so the browser's console should show none.
    const user = await call('GET /auth/me', {
      headers: { Prefer: 'handling=lenient' },
      signal,
      as: me.nullable(),
    })
    if (user === null && known) throw noteRefusal(sessionIsOver())
    // Another tab has signed in another person.
    if (user && known && known.username !== user.username) {
      dropBelongingsOfOthers(user.username)
      personChanges.set(personChanges.get() + 1)
      void forgetPerson()
    }
    return user
  } catch (error) {
    // After a failure, the user counts as not signed in. But a known user stays: a lost connection ends no session, and
    // an ended session is handled over the open page. If no answer came, nothing is known.
    if (signal.aborted || known || isRefusal(error, LOCAL_ERROR_CODES.network)) throw error
    noteFailedRead(error)
    return null
  }
}

/** GET /auth/me; null when not signed in. Read again when the tab gets the focus. */
export const sessionQuery = queryOptions<Me | null>({
  queryKey: SESSION_KEY,
  queryFn: ({ signal }) => fetchMe(signal),
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
  // Asks even if the browser has no network: a server on this machine may still answer.
  networkMode: 'always',
  refetchOnReconnect: 'always',
})

/** The current session. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (data === undefined) return { state: -1, user: null }
  return data === null ? { state: 0, user: null } : { state: 1, user: data }
}

/** Whether the session has been confirmed since this component mounted. */
export function useIsBack(): boolean {
  const { data, dataUpdatedAt } = useQuery({ ...sessionQuery, enabled: false })
  const [before] = useState(dataUpdatedAt)
  return Boolean(data) && dataUpdatedAt > before
}

/** Whether the user may do something in the installation. @param user null: not signed in */
export function mayInInstallation(user: Me | null, capability: Capability): boolean {
  return roleCan(user?.role ?? ROLES.guest, capability)
}

/** Watches for answers that say that the session is over, and for another tab that signs out. */
export function watchSession(): void {
  onSignedOut(() => {
    if (queryClient.getQueryData(SESSION_KEY)) sessionEnded.set(true)
  })
  signOuts = new BroadcastChannel('sign-outs')
  signOuts.addEventListener('message', ({ data: username }: MessageEvent<string>) => {
    if (queryClient.getQueryData<Me | null>(SESSION_KEY)?.username !== username) return
    // Drops the data again at the end, because the page that is left saves what is being typed.
    void forgetSession().finally(() => dropBelongings(username))
    dropBelongings(username)
  })
}

/** Signs in. @throws ApiError `no_cookie` if the browser did not keep the secure cookie */
export async function signIn(body: LoginBody): Promise<void> {
  await call('POST /auth/session', { body })
  await beginSession(body.sharedComputer)
}

/** Reads who has just signed in. @throws ApiError as `signIn` does */
export async function beginSession(sharedComputer: boolean): Promise<void> {
  forgetReads()
  const user = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
  if (user) noteSharedComputer(user.username, sharedComputer)
  sessionEnded.set(false)
  // Repeat the reads that were refused.
  void queryClient.invalidateQueries({ predicate: isNotSession })
  if (user === null)
    throw new ApiError({ status: 0, code: 'no_cookie', message: 'The session was not kept.' })
}

/** Becomes a guest in this browser only. */
export async function forgetSession(): Promise<void> {
  queryClient.setQueryData(SESSION_KEY, null)
  sessionEnded.set(false)
  // First the page learns that there is no user: then it does not ask again for what only users may read, such as the bell's number.
  await new Promise((resolve) => setTimeout(resolve))
  await forgetPerson()
}

/** Ends the session in this browser and on the server. It also removes the data that the person has left in this browser. */
export async function signOut(): Promise<void> {
  const user = queryClient.getQueryData<Me | null>(SESSION_KEY)
  await call('DELETE /auth/session')
  if (user) {
    dropBelongings(user.username)
    signOuts?.postMessage(user.username)
  }
  await forgetSession()
}
