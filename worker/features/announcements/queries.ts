/** Announcements of a course; system announcements belong to the course `Public`. */
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type {
  Announcement,
  AnnouncementEdit,
  AnnouncementItem,
  AnnouncementListParams,
  NewAnnouncement,
} from '#contract/announcements'
import { PUBLIC_COURSE, type UserInfo } from '#contract/fields'
import { TEXT_LIMITS } from '#contract/limits'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { isNamed } from '../../db/course-names.ts'
import { demand } from '../../db/demand.ts'
import { demandCurrent } from '../../db/edits.ts'
import { insertNotice } from '../../db/notices.ts'
import { toUserInfo, userInfoColumns } from '../../db/people.ts'
import { announcements, courses, memberships, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, standingOf, type CourseStanding } from '../../db/standing.ts'
import type { Change } from '../../http/change.ts'
import { newHexId } from '../../lib/ids.ts'

/** The most announcements a course may have. */
export const MOST_ANNOUNCEMENTS = 200

const creator = alias(users, 'creator')
const updater = alias(users, 'updater')

/** What a list shows of an announcement. */
const listed = {
  annId: announcements.id,
  title: announcements.title,
  pinned: announcements.pinned,
  createTime: announcements.createdAt,
  updateTime: announcements.updatedAt,
  creator: userInfoColumns(creator),
  updater: userInfoColumns(updater),
}

/** The length of an excerpt, written into the SQL as in the index. */
const EXCERPT = sql.raw(String(TEXT_LIMITS.announcementExcerpt))

/** Row → contract. */
function toItem<T extends Record<'creator' | 'updater', UserInfo | null>>(row: T) {
  return { ...row, creator: toUserInfo(row.creator), updater: toUserInfo(row.updater) }
}

/** A page of a course's announcements, pinned first, then newest. */
export async function listAnnouncements(
  db: Db,
  courseName: string,
  { limit, after }: AnnouncementListParams,
): Promise<AnnouncementItem[]> {
  const sortKey = sql`(${announcements.pinned}, ${announcements.id})`
  // Even a deleted announcement marks the end of the previous page.
  const isNext = sql`${sortKey} < (select ${announcements.pinned}, ${announcements.id} from ${announcements}
    where ${announcements.id} = ${after})`
  const rows = await db
    .select({
      ...listed,
      // Written as in the index, which SQLite would not use with parameters.
      markdown: sql<string>`substr(${announcements.markdown}, 1, ${EXCERPT})`,
      cut: sql<number>`length(${announcements.markdown}) > ${EXCERPT}`,
    })
    .from(announcements)
    .leftJoin(creator, eq(creator.id, announcements.creatorId))
    .leftJoin(updater, eq(updater.id, announcements.updaterId))
    .where(
      and(
        sql`${announcements.courseId} = (select ${courses.id} from ${courses} where ${isNamed(courseName)})`,
        isNull(announcements.deletedAt),
        after === undefined ? undefined : isNext,
      ),
    )
    .orderBy(desc(announcements.pinned), desc(announcements.id))
    .limit(limit)
  return rows.map((row) => ({ ...toItem(row), cut: row.cut === 1 }))
}

/** One announcement of a course, with the version its edits are checked against. */
export async function getAnnouncement(
  db: Db,
  courseName: string,
  annId: string,
): Promise<{ announcement: Announcement; version: number } | undefined> {
  const row = await db
    .select({ ...listed, markdown: announcements.markdown, version: announcements.version })
    .from(announcements)
    .innerJoin(courses, eq(courses.id, announcements.courseId))
    .leftJoin(creator, eq(creator.id, announcements.creatorId))
    .leftJoin(updater, eq(updater.id, announcements.updaterId))
    .where(and(isNamed(courseName), eq(announcements.id, annId), isNull(announcements.deletedAt)))
    .get()
  if (!row) return undefined
  const { version, ...shown } = row
  return { announcement: toItem(shown), version }
}

/** The caller's standing in the course an announcement belongs to, and that course's name. */
export async function findAnnouncementStanding(db: Db, user: SessionUser, annId: string) {
  return db
    .select({ standing: standingOf(user), course: courses.name })
    .from(announcements)
    .innerJoin(courses, eq(courses.id, announcements.courseId))
    .leftJoin(memberships, ownMembership(user))
    .where(
      and(eq(announcements.id, annId), isNull(announcements.deletedAt), isNull(courses.deletedAt)),
    )
    .get()
}

/** Creates an announcement, unless the course already has the most it may have. @returns its id */
export async function insertAnnouncement(
  db: Db,
  { id: courseId, name: course, timeZone }: CourseStanding,
  { title, markdown, pinned = false }: NewAnnouncement,
  change: Change,
): Promise<string> {
  const { actor, now } = change
  const id = newHexId(Date.now())
  const hasRoom = sql`(select count(*) from ${announcements}
    where ${announcements.courseId} = ${courseId} and ${announcements.deletedAt} is null) < ${MOST_ANNOUNCEMENTS}`
  await db.batch([
    demand(db, 'too_many_announcements', hasRoom),
    db.insert(announcements).values({
      id,
      courseId,
      title,
      markdown,
      pinned,
      creatorId: actor.id,
      updaterId: actor.id,
      createdAt: now,
      updatedAt: now,
    }),
    insertAudit(db, change, { action: 'announcement.create', subject: id, detail: { course } }),
    // System announcements are on everybody's home page.
    ...(course === PUBLIC_COURSE
      ? []
      : insertNotice(db, {
          kind: 'announcement',
          courseId,
          timeZone,
          subjectId: id,
          actorId: actor.id,
          now,
        })),
  ])
  return id
}

/** Changes an announcement. @param basedOn version the edit was made on; null overwrites any version */
export async function updateAnnouncement(
  db: Db,
  { annId, ...content }: AnnouncementEdit,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const { actor, now } = change
  await db.batch([
    demandCurrent(db, announcements, annId, basedOn),
    db
      .update(announcements)
      .set({
        ...content,
        updaterId: actor.id,
        updatedAt: now,
        version: sql`${announcements.version} + 1`,
      })
      .where(eq(announcements.id, annId)),
    insertAudit(db, change, { action: 'announcement.edit', subject: annId }),
  ])
}

/** Deletes an announcement; the row stays. */
export async function deleteAnnouncement(
  db: Db,
  annId: string,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const { now } = change
  await db.batch([
    demandCurrent(db, announcements, annId, basedOn),
    db
      .update(announcements)
      .set({ deletedAt: now, version: sql`${announcements.version} + 1` })
      .where(eq(announcements.id, annId)),
    insertAudit(db, change, { action: 'announcement.delete', subject: annId }),
  ])
}
