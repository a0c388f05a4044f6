/** SQL for mails with notices; `noticeMails` says who is to get one from when on. */
import { and, eq, inArray, lte, max, sql } from 'drizzle-orm'
import { rawQuery, type Db } from '../../db/client.ts'
import { SWEEP } from '../../db/retention.ts'
import { noticeMails, notices, noticeSettings, users, vitals } from '../../db/schema.ts'
import { columnName, excluded } from '../../db/statements.ts'
import { addOutcome, type MailOutcome } from '../../db/vitals.ts'
import { readableNotices, type ReadableNotice } from './queries.ts'

/** How long a mark is out of reach for other sweeps, at least and about. */
const LEASE_SECONDS = 600
/** What is older is in no mail. */
const NEWS_SECONDS = 7 * 86_400

/** The end of a lease that begins now: a second beside the full minutes, at which the days' mails are due. So no mark of these is taken for it. */
export function leaseEndOf(now: number): number {
  return now - (now % 60) + LEASE_SECONDS + 61
}

/** Whether mails may go out by this time. */
const mayMail = (now: number) =>
  sql`not exists (select 1 from ${vitals} where ${inArray(vitals.name, ['mails_resume_at', 'notices_resume_at'])} and ${vitals.value} > ${now})`

/** Whether somebody is to get a mail now. */
export async function isMailDue(db: Db, now: number): Promise<boolean> {
  const rows = await db
    .select({ userId: noticeMails.userId })
    .from(noticeMails)
    .where(and(lte(noticeMails.dueAt, now), mayMail(now)))
    .limit(1)
  return rows.length > 0
}

/** Deletes marks that no mailer took for a day. */
export async function deleteOldMarks(db: Db, now: number): Promise<void> {
  await db.delete(noticeMails).where(
    sql`(${columnName(noticeMails.dueAt)}, ${columnName(noticeMails.userId)}) in (select ${noticeMails.dueAt}, ${noticeMails.userId}
      from ${noticeMails} where ${noticeMails.dueAt} < ${now - 86_400} limit ${SWEEP.rows})`,
  )
}

/**
 * Takes people who are to get a mail, and moves their marks to the lease's end, so that no other sweep mails them meanwhile.
 * @param most people
 */
export async function takeDue(db: Db, now: number, most: number): Promise<number[]> {
  const [due, user] = [columnName(noticeMails.dueAt), columnName(noticeMails.userId)]
  const end = leaseEndOf(now)
  // Marks between full minutes in the time of a lease are leases: others are in the past or at a full minute.
  const taken = sql`select ${user} from ${noticeMails} where ${due} > ${now} and ${due} <= ${end} and ${due} % 60 <> 0`
  const people = sql`select distinct ${user} from ${noticeMails} where ${due} <= ${now} and ${user} not in (${taken}) limit ${most}`
  const rows = await rawQuery<{ userId: number }>(
    db,
    sql`update or replace ${noticeMails} set ${due} = ${end}
      where ${due} <= ${now} and ${user} in (${people}) returning ${user} as "userId"`,
  )
  return [...new Set(rows.map(({ userId }) => userId))]
}

/** Gives back the marks of people whom a sweep took and did not mail. */
export async function giveBack(db: Db, userIds: readonly number[], now: number): Promise<void> {
  await rawQuery(
    db,
    sql`update or replace ${noticeMails} set ${columnName(noticeMails.dueAt)} = ${now}
      where ${columnName(noticeMails.dueAt)} = ${leaseEndOf(now)} and ${columnName(noticeMails.userId)} in (${idsOf(userIds)})`,
  )
}

const idsOf = (userIds: readonly number[]) =>
  sql`select value from json_each(${JSON.stringify(userIds)})`

/** Somebody who is to get a mail. */
export interface Recipient {
  userId: number
  to: string
  token: string
  mailedId: number
}

/** The statement that gives each of these people a token that ends their mails. */
function giveTokens(db: Db, userIds: readonly number[]) {
  const [user, key] = [noticeSettings.userId, noticeSettings.unsubscribeKey].map(columnName)
  return rawQuery<never>(
    db,
    sql`insert into ${noticeSettings} (${user}, ${key}) select value, lower(hex(randomblob(24))) from json_each(${JSON.stringify(userIds)}) where true
      on conflict (${user}) do update set ${key} = ${excluded(noticeSettings.unsubscribeKey)} where ${key} is null`,
  )
}

/** The statement that reads who of these people gets mails. */
function selectRecipients(db: Db, userIds: readonly number[]) {
  return db
    .select({
      userId: noticeSettings.userId,
      to: users.email,
      token: sql<string>`${noticeSettings.unsubscribeKey}`.as('token'),
      mailedId: noticeSettings.mailedId,
    })
    .from(noticeSettings)
    .innerJoin(users, eq(users.id, noticeSettings.userId))
    .where(
      sql`${noticeSettings.userId} in (${idsOf(userIds)}) and ${users.active} and ${users.emailConfirmedAt} is not null
        and not ${noticeSettings.mailsOff}`,
    )
}

/** The statement that reads what is new for these people, oldest first. */
function selectNews(db: Db, userIds: readonly number[], now: number) {
  const old = sql`(select ${notices.id} from ${notices} where ${notices.createdAt} <= ${now - NEWS_SECONDS}
    order by ${notices.createdAt} desc limit 1)`
  // Who has had no mail yet does not get all that ever was.
  const after = sql`max(coalesce(${noticeSettings.mailedId}, 0), coalesce(${old}, 0))`
  const news = readableNotices({ people: idsOf(userIds), place: 'mail', after, now })
  return rawQuery<ReadableNotice>(db, sql`${news} order by id`)
}

/** Reads at one moment who of these people gets a mail, what is new for each, and the last notice of all. */
export async function readNews(db: Db, userIds: readonly number[], now: number) {
  const [, recipients, news, [last]] = await db.batch([
    giveTokens(db, userIds),
    selectRecipients(db, userIds),
    selectNews(db, userIds, now),
    db.select({ id: max(notices.id) }).from(notices),
  ])
  const newsOf = Map.groupBy(news, ({ userId }) => userId)
  return { recipients, newsOf, lastId: last?.id ?? 0 }
}

/** Ends the sweep's work on people: their marks are gone, and the news up to a notice counts as mailed. */
export async function settle(
  db: Db,
  userIds: readonly number[],
  { lastId, outcome }: { lastId: number; outcome: MailOutcome },
  now: number,
): Promise<void> {
  await db.batch([
    db
      .update(noticeSettings)
      .set({ mailedId: sql`max(${noticeSettings.mailedId}, ${lastId})` })
      .where(sql`${noticeSettings.userId} in (${idsOf(userIds)})`),
    db
      .delete(noticeMails)
      .where(
        sql`${noticeMails.dueAt} = ${leaseEndOf(now)} and ${noticeMails.userId} in (${idsOf(userIds)})`,
      ),
    ...addOutcome(db, outcome, now),
  ])
}

/** Ends all mails with notices for the person with this token. @returns false where nobody has it */
export async function unsubscribe(db: Db, token: string): Promise<boolean> {
  const rows = await db
    .update(noticeSettings)
    .set({ mailsOff: true })
    .where(eq(noticeSettings.unsubscribeKey, token))
    .returning({ userId: noticeSettings.userId })
  return rows.length > 0
}
