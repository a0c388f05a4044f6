/**
 * One course with everything that a call can be about, made by SQL in one batch, so that every call of the roles ×
 * routes table can have a new one. All its texts contain `mark`, which reveals leaks.
 */
import { env } from 'cloudflare:workers'
import type { LinkPurpose } from '../../../worker/db/account-links.ts'
import { fileKeyOf } from '../../../worker/features/problems/file-queries.ts'
import { requestKeyOf } from '../../../worker/features/questions/request-queries.ts'
import { openDb, type Db } from '../../../worker/db/client.ts'
import {
  accountLinks,
  apiTokens,
  calendarLinks,
  installation,
  sessions,
  users,
} from '../../../worker/db/schema.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newHexId, newSecret, sha256Hex } from '../../../worker/lib/ids.ts'
import {
  courseRows,
  fillBucket,
  homeworkRows,
  joiningRows,
  judgingRows,
  newIds,
  operationRows,
  problemRows,
  questionRows,
  ROLES_OF_PEOPLE,
  submissionRows,
  type Draft,
  type People,
} from './roles-routes-rows.ts'
import { Person } from './world.ts'

/** Hash of `demo-password`. */
const PASSWORD_HASH =
  '$scrypt-chain$n=5,ln=14,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$ycyby7kKHr6TfwneDpOdKLKkmmVHASe5UXpQTmUfJFo'

let counter = 0

/** All people and things; calls name the numbers and ids in their paths. */
export type Fixture = Awaited<ReturnType<typeof createFixture>>

/** The statements that make a person with a session. */
async function personRows(db: Db, id: number, name: string, role: 0 | 1 | 2) {
  const now = nowSeconds()
  const token = newSecret()
  const tokenHash = await sha256Hex(token)
  const person = new Person(id, name, `__Host-session=${token}`)
  const rows = [
    db.insert(users).values({
      id,
      username: name,
      usernameKey: name.toLowerCase(),
      email: `${name}@${name}.test`,
      displayedName: `Display ${name}`,
      bio: `Bio ${name}`,
      emailConfirmedAt: now,
      role,
      passwordHash: PASSWORD_HASH,
      active: true,
      createdAt: now,
    }),
    db.insert(sessions).values({
      tokenHash,
      userId: id,
      createdAt: now,
      lastSeenAt: now,
      confirmedAt: now,
      ip: '127.0.0.1',
      agent: 'tests',
    }),
  ] as const
  return { person, sessionId: tokenHash.slice(0, 24), rows }
}

/** Makes a mailed link of a person; answers its token. */
async function linkRow(db: Db, userId: number, purpose: LinkPurpose) {
  const token = newSecret()
  const row = {
    userId,
    purpose,
    tokenHash: await sha256Hex(token),
    newEmail: purpose === 'move' ? `moved-${userId}@example.test` : null,
    expiresAt: nowSeconds() + 600,
  }
  const target = [accountLinks.userId, accountLinks.purpose]
  const statement = db.insert(accountLinks).values(row).onConflictDoUpdate({ target, set: row })
  return { token, statement }
}

/** Makes a link that moves an account to another address; answers its token. */
export async function moveLinkOf({ id }: Person): Promise<string> {
  const { token, statement } = await linkRow(openDb(env.DB), id, 'move')
  await statement
  return token
}

/** People with sessions and API tokens: the statements that make them, and the ids of both. */
async function createPeople(db: Db, base: number, mark: string) {
  const now = nowSeconds()
  const people: Partial<People> = {}
  const [tokens, sessionIds] = [new Map<number, string>(), new Map<number, string>()]
  const rows = []
  for (const [index, [name, role]] of Object.entries(ROLES_OF_PEOPLE).entries()) {
    const made = await personRows(db, base + index, `${name}-${mark}`, role)
    const { id } = made.person
    Object.assign(people, { [name]: made.person })
    tokens.set(id, newHexId(Date.now()))
    sessionIds.set(id, made.sessionId)
    rows.push(...made.rows)
    rows.push(
      db.insert(apiTokens).values({
        id: tokens.get(id) ?? '',
        userId: id,
        name: 'script',
        tokenHash: newSecret(),
        scopes: ['read'],
        createdAt: now,
        expiresAt: now + 1_000,
      }),
    )
  }
  return { people: people as People, ids: { tokens, sessions: sessionIds }, rows }
}

/** A new fixture. */
export async function createFixture() {
  await fillBucket()
  counter += 1
  const base = 1_000 + counter * 20
  const mark = `q${base}z`
  const db = openDb(env.DB)
  const { people, ids: idsOfPeople, rows: peopleRows } = await createPeople(db, base, mark)
  const [reset, activate, confirm] = [
    await linkRow(db, people.spare.id, 'reset'),
    await linkRow(db, people.second.id, 'activate'),
    await linkRow(db, people.second.id, 'confirm'),
  ]
  const ids = newIds(base)
  for (const keyOf of [fileKeyOf, requestKeyOf]) await env.BUCKET.put(keyOf(ids.file), 'bytes')
  const [runnerToken, lease, calendar] = [newSecret(), newSecret(), newSecret()]
  const draft: Draft = { db, base, mark, now: nowSeconds(), people, ids, runnerToken, lease }
  await db.batch([
    db
      .insert(installation)
      .values({ id: 1, state: 'mismatch' })
      .onConflictDoUpdate({ target: installation.id, set: { state: 'mismatch' } }),
    ...peopleRows,
    reset.statement,
    activate.statement,
    confirm.statement,
    db.insert(calendarLinks).values({
      userId: people.student.id,
      tokenHash: await sha256Hex(calendar),
      createdAt: nowSeconds(),
    }),
    ...courseRows(draft),
    ...(await joiningRows(draft)),
    ...problemRows(draft),
    ...homeworkRows(draft),
    ...submissionRows(draft),
    ...(await judgingRows(draft)),
    ...questionRows(draft),
    ...operationRows(draft),
  ])
  return {
    mark,
    course: `Course ${mark}`,
    deletedCourse: `Deleted ${mark}`,
    otherCourse: `Other ${mark}`,
    ids: { ...ids, ...idsOfPeople },
    people,
    runnerToken,
    lease,
    links: {
      reset: reset.token,
      activate: activate.token,
      confirm: confirm.token,
      calendar,
    },
  }
}
