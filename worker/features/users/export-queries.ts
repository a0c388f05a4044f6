/** Everything the database holds about one person. */
import { and, asc, eq, getTableColumns, gt, ne, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { insertAudit } from '../../db/audit.ts'
import { aliasColumns, type Db } from '../../db/client.ts'
import { takeToken, wasAllowed, type RateAnswer } from '../../db/rate-limits.ts'
import {
  announcements,
  apiTokens,
  askedLateDays,
  auditEntries,
  calendarLinks,
  courses,
  gradebookColumns,
  hintAnswers,
  hints,
  homeworkOverrides,
  homeworks,
  joinRequests,
  keptMarks,
  labels,
  loginRecords,
  marks,
  markSettings,
  memberLabels,
  memberships,
  notices,
  noticeSettings,
  problems,
  sampleRuns,
  sessions,
  staffPoints,
  submissions,
  submissionSources,
  users,
} from '../../db/schema.ts'
import { isSettingOf } from '../../db/mark-settings.ts'
import { isMarkShown } from '../../db/shown-marks.ts'
import type { SessionUser } from '../../db/sessions.ts'
import type { Change } from '../../http/change.ts'

/** Exports of one person: `burst` at once, then one per interval. */
const EXPORT_LIMIT = { burst: 5, intervalMs: 600_000 } as const

/** Submissions per page: with 64 KiB of source each, a page stays far below the memory of a Worker. */
const PAGE = 100

/** Records that a person asks for their data, before any are read. @returns whether they may ask now */
export async function beginExport(db: Db, change: Change): Promise<RateAnswer[]> {
  const { id } = change.actor
  const key = `export:user:${id}`
  const [rate] = await db.batch([
    takeToken(db, key, EXPORT_LIMIT, Date.now()),
    insertAudit(db, change, { action: 'user.export', subject: String(id), when: wasAllowed(key) }),
  ])
  return rate
}

/** The person's last sample run. */
function selectRun(db: Db, userId: number) {
  const { id: runId, problemId, languageType, inputs, result } = sampleRuns
  const code = sql<string | null>`cast(${sampleRuns.code} as text)`.as('code')
  return db
    .select({ ...aliasColumns({ runId, problemId, languageType, inputs, result }), code })
    .from(sampleRuns)
    .where(eq(sampleRuns.userId, userId))
}

/** The person's courses, with how they came and the labels that members see. Others are notes of staff. */
function selectMemberships(db: Db, userId: number) {
  const { role, joinedAt: joinTime, joinCodeId } = memberships
  const shown = sql<string>`(select json_group_array(${labels.name}) from ${memberLabels}
    join ${labels} on ${labels.id} = ${memberLabels.labelId} and ${labels.shown}
    where ${memberLabels.userId} = ${userId} and ${memberLabels.courseId} = ${memberships.courseId})`
    .mapWith((names: string): string[] => JSON.parse(names))
    .as('labels')
  return db
    .select({
      ...aliasColumns({ course: courses.name, role, joinTime }),
      joinedBy: sql<'staff' | 'code'>`iif(${joinCodeId} is null, 'staff', 'code')`.as('joinedBy'),
      labels: shown,
    })
    .from(memberships)
    .innerJoin(courses, eq(courses.id, memberships.courseId))
    .where(eq(memberships.userId, userId))
}

/**
 * What staff set for the person in homeworks: dates with their reasons, and where the person sees the mark points with their comments, and marks that are kept; and the late
 * days that the person asked for.
 */
export async function readHomeworkSettings(db: Db, userId: number, now: number) {
  const named = { course: courses.name, homework: homeworks.name }
  const isOf = (table: { homeworkId: SQLiteColumn }) => eq(homeworks.id, table.homeworkId)
  const {
    id: _i,
    homeworkId: _h,
    userId: _u,
    labelId: _l,
    setterId: _s,
    setAt,
    ...override
  } = getTableColumns(homeworkOverrides)
  const isColumn = and(eq(gradebookColumns.homeworkId, homeworks.id), isMarkShown(userId, now))
  const { problemId, hundredths, comment, givenAt } = staffPoints
  const [overrides, points, kept, asked, links] = await db.batch([
    db
      .select(aliasColumns({ ...named, ...override, time: setAt }))
      .from(homeworkOverrides)
      .innerJoin(homeworks, isOf(homeworkOverrides))
      .innerJoin(courses, eq(courses.id, homeworks.courseId))
      .where(eq(homeworkOverrides.userId, userId)),
    db
      .select(aliasColumns({ ...named, problemId, hundredths, comment, time: givenAt }))
      .from(staffPoints)
      .innerJoin(homeworks, isOf(staffPoints))
      .innerJoin(gradebookColumns, isColumn)
      .innerJoin(courses, eq(courses.id, homeworks.courseId))
      .where(eq(staffPoints.userId, userId)),
    db
      .select(
        aliasColumns({ ...named, problemId: keptMarks.problemId, hundredths: keptMarks.value }),
      )
      .from(keptMarks)
      .innerJoin(homeworks, isOf(keptMarks))
      .innerJoin(gradebookColumns, isColumn)
      .innerJoin(courses, eq(courses.id, homeworks.courseId))
      .where(eq(keptMarks.userId, userId)),
    db
      .select(aliasColumns({ ...named, days: askedLateDays.days, time: askedLateDays.askedAt }))
      .from(askedLateDays)
      .innerJoin(homeworks, isOf(askedLateDays))
      .innerJoin(courses, eq(courses.id, homeworks.courseId))
      .where(eq(askedLateDays.userId, userId)),
    db
      .select({ createTime: calendarLinks.createdAt })
      .from(calendarLinks)
      .where(eq(calendarLinks.userId, userId)),
  ])
  return {
    homeworkDates: overrides,
    homeworkPoints: points,
    keptMarks: kept,
    askedLateDays: asked,
    calendarLink: links[0] ?? null,
  }
}

/** The person's marks that are shown to them, and what staff set last in the same cells. */
export async function readShownMarks(db: Db, userId: number, now: number) {
  const ofColumn = {
    course: courses.name,
    kind: gradebookColumns.kind,
    homework: homeworks.name,
    column: gradebookColumns.name,
  }
  const isShown = isMarkShown(userId, now)
  const { hundredths, isExcused, derivation, changedAt } = marks
  const [own, settings] = await db.batch([
    db
      .select(
        aliasColumns({ ...ofColumn, hundredths, excused: isExcused, derivation, time: changedAt }),
      )
      .from(marks)
      .innerJoin(gradebookColumns, eq(gradebookColumns.id, marks.columnId))
      .innerJoin(courses, eq(courses.id, gradebookColumns.courseId))
      .leftJoin(homeworks, eq(homeworks.id, gradebookColumns.homeworkId))
      // A stored total would tell of marks that the person does not see.
      .where(and(eq(marks.userId, userId), isShown, ne(gradebookColumns.kind, 'total'))),
    db
      .select(
        aliasColumns({
          ...ofColumn,
          hundredths: markSettings.hundredths,
          excused: markSettings.isExcused,
          reason: markSettings.reason,
          time: markSettings.setAt,
        }),
      )
      .from(markSettings)
      .innerJoin(gradebookColumns, eq(gradebookColumns.id, markSettings.columnId))
      .innerJoin(courses, eq(courses.id, gradebookColumns.courseId))
      .leftJoin(homeworks, eq(homeworks.id, gradebookColumns.homeworkId))
      .where(
        and(
          eq(markSettings.userId, userId),
          // Earlier ones are for staff, and some stood in a mark that was not shown.
          isSettingOf(gradebookColumns.id, markSettings.userId),
          isShown,
        ),
      ),
  ])
  return { marks: own, markSettings: settings }
}

/** What the person waits for or was refused, and what they hear of. */
export async function readNotices(db: Db, userId: number) {
  const { kind, subjectId, createdAt } = notices
  const { userId: _u, unsubscribeKey: _k, ...settings } = getTableColumns(noticeSettings)
  const [requests, own, chosen] = await db.batch([
    db
      .select(
        aliasColumns({
          course: courses.name,
          state: joinRequests.state,
          time: joinRequests.createdAt,
        }),
      )
      .from(joinRequests)
      .innerJoin(courses, eq(courses.id, joinRequests.courseId))
      .where(eq(joinRequests.userId, userId)),
    db
      .select(aliasColumns({ course: courses.name, kind, subjectId, time: createdAt }))
      .from(notices)
      .innerJoin(courses, eq(courses.id, notices.courseId))
      .where(eq(notices.userId, userId)),
    db.select(settings).from(noticeSettings).where(eq(noticeSettings.userId, userId)),
  ])
  return { joinRequests: requests, notices: own, noticeSettings: chosen[0] ?? null }
}

/** The hints that the person wrote, and whether hints helped the person. */
export async function readHints(db: Db, userId: number) {
  const { id: hintId, problemId, markdown, updatedAt } = hints
  const [wrote, answered] = await db.batch([
    db
      .select(aliasColumns({ hintId, problemId, markdown, updateTime: updatedAt }))
      .from(hints)
      .where(eq(hints.authorId, userId)),
    db
      .select(aliasColumns({ hintId, problemId, helped: hintAnswers.helped }))
      .from(hintAnswers)
      .innerJoin(hints, eq(hints.id, hintAnswers.hintId))
      .where(eq(hintAnswers.userId, userId)),
  ])
  return { hints: wrote, hintAnswers: answered }
}

/** Everything of a person's export but hints, homeworks, questions and submissions. */
export async function readExport(db: Db, actor: SessionUser) {
  const { id } = actor
  const [account, taught, joined, signIns, live, tokens, deeds, wrote, made, run] = await db.batch([
    db
      .select({ createdAt: users.createdAt, active: users.active })
      .from(users)
      .where(eq(users.id, id)),
    db
      .select({
        course: courses.name,
        createTime: courses.createdAt,
        deleteTime: courses.deletedAt,
      })
      .from(courses)
      .where(eq(courses.teacherId, id)),
    selectMemberships(db, id),
    db
      .select({
        time: loginRecords.createdAt,
        ok: loginRecords.ok,
        ipAddr: loginRecords.ip,
        agent: loginRecords.agent,
      })
      .from(loginRecords)
      .where(eq(loginRecords.userId, id)),
    db
      .select({
        createTime: sessions.createdAt,
        lastSeen: sessions.lastSeenAt,
        ipAddr: sessions.ip,
        agent: sessions.agent,
      })
      .from(sessions)
      .where(eq(sessions.userId, id)),
    db
      .select({
        name: apiTokens.name,
        scopes: apiTokens.scopes,
        createTime: apiTokens.createdAt,
        expireTime: apiTokens.expiresAt,
        lastUsed: apiTokens.lastUsedAt,
      })
      .from(apiTokens)
      .where(eq(apiTokens.userId, id)),
    db
      .select({
        time: auditEntries.createdAt,
        action: auditEntries.action,
        subject: auditEntries.subject,
        detail: auditEntries.detail,
        ipAddr: auditEntries.ip,
      })
      .from(auditEntries)
      .where(eq(auditEntries.actorId, id)),
    db
      .select({
        annId: announcements.id,
        title: announcements.title,
        markdown: announcements.markdown,
        createTime: announcements.createdAt,
      })
      .from(announcements)
      .where(eq(announcements.creatorId, id)),
    db
      .select({ problemId: problems.id, problemName: problems.name })
      .from(problems)
      .where(eq(problems.ownerId, id)),
    selectRun(db, id),
  ])
  return {
    account: { ...actor, ...account[0] },
    teaches: taught,
    memberships: joined,
    sessions: live,
    signIns,
    tokens,
    actions: deeds,
    announcements: wrote,
    problems: made,
    sampleRun: run[0] ?? null,
  }
}

/** The next page of a person's submissions with their code, oldest first. */
export async function listOwnSubmissions(db: Db, userId: number, afterId: string) {
  return db
    .select({
      submissionId: submissions.id,
      problemId: submissions.problemId,
      languageType: submissions.languageType,
      status: submissions.status,
      score: submissions.score,
      runTime: submissions.runTimeMs,
      memoryUsage: submissions.memoryKb,
      timestamp: submissions.createdAt,
      ipAddr: submissions.ip,
      code: submissionSources.code,
    })
    .from(submissions)
    .leftJoin(submissionSources, eq(submissionSources.submissionId, submissions.id))
    .where(and(eq(submissions.userId, userId), gt(submissions.id, afterId)))
    .orderBy(asc(submissions.id))
    .limit(PAGE)
}
