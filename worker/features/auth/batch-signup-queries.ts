/** SQL of the batch sign-up: whole lists travel as one JSON parameter, because D1 takes 100 parameters at most. */
import { sql } from 'drizzle-orm'
import type { RoleCode } from '#contract/roles'
import { insertAudit } from '../../db/audit.ts'
import { execute, type Db } from '../../db/client.ts'
import { courses, memberships, sessions, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'

/** An account one of the rows is about. `courseRole`: what it is in the course the rows go to. */
export interface ExistingUser {
  id: number
  usernameKey: string
  email: string
  role: RoleCode
  courseRole: 'ta' | 'student' | null
}

/** What one row changes. */
export interface SignupWrite {
  action: 'create' | 'update' | 'enrol'
  username: string
  email: string
  displayedName: string
  role: RoleCode
  /** null keeps the password there is. */
  passwordHash: string | null
}

/** The accounts that have a username or an e-mail of the rows. */
export async function findExistingUsers(
  db: Db,
  rows: { username: string; email: string }[],
  course: string | null,
): Promise<ExistingUser[]> {
  const keys = JSON.stringify(rows.map((row) => row.username.toLowerCase()))
  const emails = JSON.stringify(rows.map((row) => row.email))
  return execute<ExistingUser>(
    db,
    sql`
    select ${users.id} as id, ${users.usernameKey} as usernameKey, ${users.email} as email, ${users.role} as role,
      (select case when c.teacher_id = users.id then 'ta' else m.role end
        from courses c left join memberships m on m.course_id = c.id and m.user_id = users.id
        where c.name = ${course}) as courseRole
    from ${users}
    where ${users.usernameKey} in (select value from json_each(${keys}))
      or ${users.email} in (select value from json_each(${emails}))`,
  )
}

/** Writes everything in one transaction: accounts, memberships, ended sessions, the audit entry. */
export async function storeSignup(
  db: Db,
  writes: SignupWrite[],
  context: { actor: SessionUser; course: string | undefined; ip: string; now: number },
): Promise<void> {
  const { actor, course, ip, now } = context
  const created = JSON.stringify(writes.filter((write) => write.action === 'create'))
  const updated = JSON.stringify(writes.filter((write) => write.action === 'update'))
  const everyone = JSON.stringify(writes.map((write) => write.username.toLowerCase()))
  const withPassword = JSON.stringify(
    writes
      .filter((write) => write.action === 'update' && write.passwordHash)
      .map((write) => write.username.toLowerCase()),
  )
  await db.batch([
    execute(
      db,
      sql`insert into ${users} (username, username_key, email, displayed_name, bio, role, password_hash, active, created_at)
      select value ->> 'username', lower(value ->> 'username'), value ->> 'email', value ->> 'displayedName', '',
        value ->> 'role', value ->> 'passwordHash', 1, ${now}
      from json_each(${created})`,
    ),
    execute(
      db,
      sql`update ${users} set
        displayed_name = w.value ->> 'displayedName', email = w.value ->> 'email', role = w.value ->> 'role',
        password_hash = coalesce(w.value ->> 'passwordHash', password_hash)
      from json_each(${updated}) w where username_key = lower(w.value ->> 'username')`,
    ),
    execute(
      db,
      sql`delete from ${sessions} where user_id in
      (select id from users where username_key in (select value from json_each(${withPassword})))`,
    ),
    execute(
      db,
      sql`insert or ignore into ${memberships} (course_id, user_id, role, joined_at)
      select c.id, u.id, 'student', ${now} from ${courses} c, ${users} u
      where c.name = ${course ?? null} and u.id is not c.teacher_id
        and u.username_key in (select value from json_each(${everyone}))`,
    ),
    insertAudit(db, {
      actorId: actor.id,
      action: 'user.batch_signup',
      subject: course ?? '',
      detail: { created: JSON.parse(created).length, updated: JSON.parse(updated).length },
      ip,
      now,
    }),
  ])
}
