/** Announcements of one course; the system's are those of `Public`. */
import { and, desc, eq, isNull } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Announcement, AnnouncementEdit, NewAnnouncement } from '#contract/announcements'
import { PUBLIC_COURSE } from '#contract/fields'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { toUserInfo, userInfoColumns } from '../../db/people.ts'
import { announcements, courses, memberships, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, standingOf } from '../../db/standing.ts'
import type { Change } from '../../http/change.ts'
import { newHexId } from '../../lib/ids.ts'

const creator = alias(users, 'creator')
const updater = alias(users, 'updater')

/** Announcements with their people, live ones only. */
function selectAnnouncements(db: Db) {
  return db
    .select({
      annId: announcements.id,
      title: announcements.title,
      markdown: announcements.markdown,
      pinned: announcements.pinned,
      createTime: announcements.createdAt,
      updateTime: announcements.updatedAt,
      creator: userInfoColumns(creator),
      updater: userInfoColumns(updater),
    })
    .from(announcements)
    .innerJoin(courses, eq(courses.id, announcements.courseId))
    .leftJoin(creator, eq(creator.id, announcements.creatorId))
    .leftJoin(updater, eq(updater.id, announcements.updaterId))
    .$dynamic()
}

/** Row → contract. */
function toAnnouncement(
  row: Awaited<ReturnType<typeof selectAnnouncements>>[number],
): Announcement {
  return { ...row, creator: toUserInfo(row.creator), updater: toUserInfo(row.updater) }
}

/** A course's announcements, pinned first, then newest. */
export async function listAnnouncements(db: Db, courseName: string): Promise<Announcement[]> {
  const rows = await selectAnnouncements(db)
    .where(and(eq(courses.name, courseName), isNull(announcements.deletedAt)))
    .orderBy(desc(announcements.pinned), desc(announcements.id))
  return rows.map(toAnnouncement)
}

/** One announcement of a course. */
export async function getAnnouncement(
  db: Db,
  courseName: string,
  annId: string,
): Promise<Announcement | undefined> {
  const row = await selectAnnouncements(db)
    .where(
      and(
        eq(courses.name, courseName),
        eq(announcements.id, annId),
        isNull(announcements.deletedAt),
      ),
    )
    .get()
  return row && toAnnouncement(row)
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

/** Creates an announcement and gives its id. */
export async function insertAnnouncement(
  db: Db,
  courseId: number,
  { title, markdown, pinned = false, courseName = PUBLIC_COURSE }: NewAnnouncement,
  { actor, ip, now }: Change,
): Promise<string> {
  const id = newHexId(now * 1000)
  const people = { creatorId: actor.id, updaterId: actor.id }
  await db.batch([
    db
      .insert(announcements)
      .values({ id, courseId, title, markdown, pinned, ...people, createdAt: now, updatedAt: now }),
    insertAudit(db, {
      actorId: actor.id,
      action: 'announcement.create',
      subject: id,
      detail: { course: courseName },
      ip,
      now,
    }),
  ])
  return id
}

/** Changes an announcement. */
export async function updateAnnouncement(
  db: Db,
  edit: AnnouncementEdit,
  { actor, ip, now }: Change,
): Promise<void> {
  const { annId, ...content } = edit
  await db.batch([
    db
      .update(announcements)
      .set({ ...content, updaterId: actor.id, updatedAt: now })
      .where(eq(announcements.id, annId)),
    insertAudit(db, { actorId: actor.id, action: 'announcement.edit', subject: annId, ip, now }),
  ])
}

/** Takes an announcement away; the row stays. */
export async function deleteAnnouncement(
  db: Db,
  annId: string,
  { actor, ip, now }: Change,
): Promise<void> {
  await db.batch([
    db.update(announcements).set({ deletedAt: now }).where(eq(announcements.id, annId)),
    insertAudit(db, { actorId: actor.id, action: 'announcement.delete', subject: annId, ip, now }),
  ])
}
