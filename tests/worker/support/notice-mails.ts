/** Notices, mails with them, and a database that stops answering. */
import { env } from 'cloudflare:workers'
import type { NoticeKind } from '#contract/notices'
import { openDb } from '../../../worker/db/client.ts'
import { insertNotice } from '../../../worker/db/notices.ts'
import { mailNotices } from '../../../worker/features/notices/mails.ts'
import type { Env } from '../../../worker/env.ts'
import type { Mail } from '../../../worker/lib/mail.ts'
import { newHexId } from '../../../worker/lib/ids.ts'
import { firstValue, runSql } from './sql.ts'
import { workerEnv } from './step-queue.ts'

export const db = openDb(env.DB)

export const idOfCourse = (course: string) =>
  firstValue<number>`select id from courses where name = ${course}`.then(Number)

/** Writes a notice for everybody in a course. */
export async function notify(
  course: string,
  now: number,
  notice: { kind: NoticeKind; subjectId?: string; at?: number; actorId?: number },
): Promise<void> {
  const courseId = await idOfCourse(course)
  const whole = { courseId, timeZone: 'UTC', subjectId: null, actorId: null, now, ...notice }
  await db.batch(insertNotice(db, whole))
}

/** An announcement in a course, with its notice. */
export async function announce(
  course: string,
  { id: actorId }: { id: number },
  title: string,
  now: number,
): Promise<void> {
  const subjectId = newHexId(now * 1000)
  await runSql`insert into announcements (id, course_id, title, markdown, pinned, creator_id, updater_id, created_at, updated_at)
    select ${subjectId}, id, ${title}, '', 0, ${actorId}, ${actorId}, ${now}, ${now} from courses where name = ${course}`
  await notify(course, now, { kind: 'announcement', subjectId, actorId })
}

/** A mailer that keeps what it is given. */
export function newBox() {
  const mails: Mail[] = []
  const to = ({ username }: { username: string }) =>
    mails.filter((mail) => mail.to === `${username}@example.test`)
  return { mails, to, send: async (mail: Mail) => void mails.push(mail) }
}

/** One sweep's mails. */
export const mailAt = (
  now: number,
  mailer: { send(mail: Mail): Promise<void> },
  { settings = {}, client = db }: { settings?: Partial<Env>; client?: typeof db } = {},
) => mailNotices(Object.assign({ ...workerEnv }, settings), client, now, () => mailer)

/** The database as a Worker sees it that dies after so many round trips. */
export function mortalDb(trips: number): typeof db {
  let left = trips
  const real = new WeakMap<object, D1PreparedStatement>()
  const live = <T>(send: () => T): T => {
    left -= 1
    if (left < 0) throw new Error('The Worker has died')
    return send()
  }
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, key) {
        const part = Reflect.get(target, key).bind(target)
        if (key === 'bind') return (...values: unknown[]) => wrap(part(...values))
        return (...values: unknown[]) => live(() => part(...values))
      },
    })
    real.set(wrapped, statement)
    return wrapped
  }
  const batch = (statements: D1PreparedStatement[]) =>
    live(() => env.DB.batch(statements.map((statement) => real.get(statement) ?? statement)))
  return openDb({ prepare: (sql: string) => wrap(env.DB.prepare(sql)), batch } as D1Database)
}
