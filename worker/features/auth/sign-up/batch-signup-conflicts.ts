/** Rows of a checked sign-up whose name was taken meanwhile. */
import type { BatchSignupRow } from '#contract/people/auth'
import { rowFault } from '#contract/people/signup-rows'
import type { Db } from '../../../db/client.ts'
import { findExistingUsers } from './batch-signup-queries.ts'
import { badRow } from './batch-signup-rows.ts'
import type { SignupPlan } from './signup-vault.ts'

/** Each row whose username or e-mail belongs to another account by now, with what is taken. */
export async function listConflictingRows(
  db: Db,
  { writes, result }: Pick<SignupPlan, 'writes' | 'result'>,
): Promise<BatchSignupRow[]> {
  const existing = await findExistingUsers(db, writes, 0, null)
  const names = new Set(existing.map((user) => user.usernameKey))
  const ownerOf = new Map(
    existing.flatMap((user) => (user.confirmed === 1 ? [[user.email, user.usernameKey]] : [])),
  )
  return writes.flatMap(({ action, username, email }): BatchSignupRow[] => {
    const key = username.toLowerCase()
    const owner = ownerOf.get(email)
    const faults = [
      ...(action === 'create' && names.has(key) ? [rowFault('taken_meanwhile', 'username')] : []),
      ...(owner !== undefined && owner !== key ? [rowFault('email_taken_meanwhile', 'email')] : []),
    ]
    const line = result.rows.find((row) => row.username === username)?.line ?? 0
    return faults.length === 0 ? [] : [badRow(line, username, faults)]
  })
}
