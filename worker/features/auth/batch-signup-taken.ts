/** The rows of a checked sign-up that somebody was quicker with. */
import type { BatchSignupRow } from '#contract/auth'
import type { Db } from '../../db/client.ts'
import { findExistingUsers } from './batch-signup-queries.ts'
import type { SignupPlan } from './signup-vault.ts'

/** Each row whose username or e-mail belongs to another account by now, with what is taken. */
export async function listTakenRows(
  db: Db,
  { writes, result }: Pick<SignupPlan, 'writes' | 'result'>,
): Promise<BatchSignupRow[]> {
  const existing = await findExistingUsers(db, writes, 0, null)
  const names = new Set(existing.map((user) => user.usernameKey))
  const ownerOf = new Map(existing.map((user) => [user.email, user.usernameKey]))
  return writes.flatMap(({ action, username, email }): BatchSignupRow[] => {
    const key = username.toLowerCase()
    const owner = ownerOf.get(email)
    const errors = [
      ...(action === 'create' && names.has(key) ? ['username: was taken in the meantime'] : []),
      ...(owner !== undefined && owner !== key ? ['email: belongs to another account by now'] : []),
    ]
    const line = result.rows.find((row) => row.username === username)?.line ?? 0
    return errors.length === 0 ? [] : [{ line, username, action: 'error', errors }]
  })
}
