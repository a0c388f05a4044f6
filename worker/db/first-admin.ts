/**
 * SQL for the first admin of an installation: an inactive account with an activation link. People who may deploy run it with
 * `scripts/first-admin.ts`. The Worker does not import this file, so it cannot make a first admin.
 */
import * as z from 'zod'
import { email, username } from '#contract/fields'
import { LINK_SECONDS } from './lifetimes.ts'

/** The first admin, and the SHA-256 (hex) of the token in the link. `now` in epoch seconds. */
const firstAdmin = z.object({
  username,
  email,
  tokenHash: z.string().regex(/^[0-9a-f]{64}$/),
  now: z.int(),
})

/** A text as an SQL literal. */
function toSqlLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/**
 * While no admin is active, the statements may be run again; that replaces the link. Once an admin is active, they change
 * nothing, so nobody can use them to get past the admins.
 * @throws ZodError for a username or an e-mail that the product would refuse
 */
export function firstAdminStatements(form: z.input<typeof firstAdmin>): string[] {
  const { username, email, tokenHash, now } = firstAdmin.parse(form)
  const key = toSqlLiteral(username.toLowerCase())
  const nobody = 'not exists (select 1 from users a where a.role = 0 and a.active = 1)'
  return [
    `insert into users (username, username_key, email, displayed_name, role, active, created_at)
      select ${toSqlLiteral(username)}, ${key}, ${toSqlLiteral(email)}, ${toSqlLiteral(username)}, 0, 0, ${now}
      where ${nobody} on conflict (username_key) do nothing`,
    `insert into account_links (user_id, purpose, token_hash, expires_at)
      select id, 'activate', ${toSqlLiteral(tokenHash)}, ${now + LINK_SECONDS.activate} from users
      where username_key = ${key} and role = 0 and ${nobody}
      on conflict (user_id, purpose) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
  ]
}
