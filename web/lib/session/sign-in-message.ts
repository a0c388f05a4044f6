/** The message that a failed sign-in shows. */
import { invalidUserData } from '#contract/people/auth'
import { ApiError, LOCAL_ERROR_CODES, refusalData } from '../api/api-error.ts'

export type SignInMessage =
  | { key: 'ERR001' }
  | { key: 'ERR002'; host: string }
  | { key: 'LIMIT'; error: ApiError }
  | { key: 'UNKNOWN' }

/**
 * The message of a failed sign-in, chosen by the API's own message.
 * @param ownHost the host to name if the answer names no mail host
 */
export function signInMessage(error: unknown, ownHost: string): SignInMessage {
  if (!(error instanceof ApiError)) return { key: 'UNKNOWN' }
  if (error.message === 'Login Failed') return { key: 'ERR001' }
  if (error.message === 'Invalid User')
    return { key: 'ERR002', host: refusalData(error, invalidUserData)?.host ?? ownHost }
  if (error.status === 429 || error.code === LOCAL_ERROR_CODES.cpuLimit)
    return { key: 'LIMIT', error }
  return { key: 'UNKNOWN' }
}
