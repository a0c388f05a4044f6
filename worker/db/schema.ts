/**
 * All tables: read it as the entity-relationship diagram. Times are integers in epoch seconds, or `…Ms`
 * where finer. Ids from `newHexId` are ordered by time, so "newest first" is "id descending" and needs no
 * further column in an index.
 */
import { sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  blob,
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  real,
  type SQLiteColumn,
  sqliteTable,
  sqliteView,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import type { AlarmState } from '#contract/installation/alarms'
import type { Counts, LateRule } from '#contract/homework-dates'
import type { ColumnKind, Shown } from '#contract/gradebook'
import type { LateDaySpending } from '#contract/late-days'
import type { LanguageCode } from '#contract/languages/codes'
import type { MarkDerivation } from '#contract/mark-derivation'
import type { Delivery, NoticeKind } from '#contract/notices'
import type { OperationKind } from '#contract/operations'
import type { HostInfo, ReportedOutput, RunInputs } from '#contract/judging'
import { RUNNERS } from '#contract/limits'
import type { CompareMode } from '#contract/problems/compare'
import type { ProblemFileType } from '#contract/problems/problem-files'
import type { ProblemDescription } from '#contract/problems'
import type { QuestionState } from '#contract/questions'
import type { TokenScope } from '#contract/people/tokens'
import type { CaseResult, SubtaskResult, Verdict } from '#contract/verdicts'

const CASCADE = { onDelete: 'cascade' } as const

/** The person, course or problem that a row belongs to; deleting it deletes the row. */
const ofUser = () =>
  integer()
    .notNull()
    .references(() => users.id, CASCADE)
const ofCourse = () =>
  integer()
    .notNull()
    .references(() => courses.id, CASCADE)
const ofProblem = () =>
  integer()
    .notNull()
    .references(() => problems.id, CASCADE)
/** The homework that a row belongs to. */
const ofHomework = () =>
  text()
    .notNull()
    .references(() => homeworks.id, CASCADE)
/** The person who made something. The thing stays when the person is erased, so the person's row must stay, too. */
const byUser = () =>
  integer()
    .notNull()
    .references(() => users.id)

/**
 * People. `usernameKey` is the username in lower case: names are unique without regard to case. Of an
 * erased account only the row remains, named `*<id>`, which cannot be chosen or typed.
 */
export const users = sqliteTable(
  'users',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    username: text().notNull(),
    usernameKey: text().notNull().unique(),
    email: text().notNull(),
    /**
     * When the e-mail was confirmed, by its owner with a mailed link or by an admin. Null: nobody has proved that the e-mail is
     * the owner's, and other accounts may have the same one.
     */
    emailConfirmedAt: integer(),
    /** Its owner made the account by joining a course. From this time on it waits until the e-mail is confirmed. */
    confirmDueAt: integer(),
    /** The course whose teacher made the account. Null: an admin made it, or the course is gone. */
    madeInCourseId: integer().references((): AnySQLiteColumn => courses.id, {
      onDelete: 'set null',
    }),
    displayedName: text().notNull(),
    bio: text().notNull().default(''),
    role: integer().$type<0 | 1 | 2>().notNull(),
    /** PHC string; null while there is no password. */
    passwordHash: text(),
    active: integer({ mode: 'boolean' }).notNull(),
    /** When an admin closed the account. Null: the account is active or waits for its mailed link. */
    disabledAt: integer(),
    /** The earliest time to mail the link that activates it or confirms its e-mail. Null: the link was mailed, or none is needed. */
    linkDueAt: integer(),
    createdAt: integer().notNull(),
  },
  (table) => [
    index('users_link_due')
      .on(table.linkDueAt)
      .where(
        sql`link_due_at is not null and disabled_at is null and (password_hash is null or (confirm_due_at is not null and email_confirmed_at is null))`,
      ),
    index('users_email').on(table.email),
    uniqueIndex('users_confirmed_email')
      .on(table.email)
      .where(sql`email_confirmed_at is not null`),
    index('users_made_in')
      .on(table.madeInCourseId)
      .where(sql`made_in_course_id is not null`),
    index('users_role').on(table.role, table.usernameKey),
  ],
)

/** Signed-in browsers. Only the SHA-256 of the cookie is kept. */
export const sessions = sqliteTable(
  'sessions',
  {
    tokenHash: text().primaryKey(),
    userId: ofUser(),
    createdAt: integer().notNull(),
    lastSeenAt: integer().notNull(),
    /** When its owner last typed the password in this session. Null: the session is older than this column. */
    confirmedAt: integer(),
    ip: text().notNull(),
    agent: text().notNull(),
    /** The session began on a shared computer and ends sooner. */
    shared: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_created').on(table.createdAt),
  ],
)

/**
 * Attempts to sign in to an account, for its owner. `ok`: the password was right. What was typed is not stored, and attempts on
 * unknown names leave no row, because people type passwords there.
 */
export const loginRecords = sqliteTable(
  'login_records',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    ip: text().notNull(),
    agent: text().notNull(),
    ok: integer({ mode: 'boolean' }),
    createdAt: integer().notNull(),
  },
  (table) => [index('login_records_user').on(table.userId, table.id)],
)

/**
 * The audit log. Rows are only added: triggers of the first migration refuse all changes except removing the person and the
 * address. `actorId` null: the person was not signed in, or the account is gone.
 */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    createdAt: integer().notNull(),
    actorId: integer().references(() => users.id, { onDelete: 'set null' }),
    action: text().notNull(),
    subject: text().notNull(),
    detail: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    ip: text().notNull(),
  },
  (table) => [
    index('audit_entries_actor').on(table.actorId, table.id),
    index('audit_entries_action').on(table.action, table.id),
    index('audit_entries_actor_action').on(table.actorId, table.action, table.id),
    index('audit_entries_addressed')
      .on(table.createdAt)
      .where(sql`ip <> ''`),
  ],
)

/**
 * Courses. The teacher has no row in `memberships`. Only the course `Public`, made by the first migration, has no teacher. A
 * deleted course keeps its name while it can be restored. `version` counts edits (ETag).
 */
export const courses = sqliteTable(
  'courses',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text().notNull(),
    /** The form in which names are compared (`courseNameKey`). */
    nameKey: text().notNull().unique(),
    teacherId: integer().references(() => users.id),
    timeZone: text().notNull(),
    /** Which submission counts in homeworks that do not say it themselves. */
    counts: text().$type<Counts>().notNull().default('best'),
    version: integer().notNull().default(1),
    createdAt: integer().notNull(),
    /** Since when students only read it. Null: the course is open. */
    closedAt: integer(),
    /** The course that this one was copied from. */
    copiedFromId: integer().references((): AnySQLiteColumn => courses.id, { onDelete: 'set null' }),
    deletedAt: integer(),
    /** When the sweeper found that it can no longer be restored; it is purged a week later. */
    purgeMarkedAt: integer(),
  },
  (table) => [
    index('courses_teacher').on(table.teacherId),
    index('courses_copied_from')
      .on(table.copiedFromId)
      .where(sql`copied_from_id is not null`),
    index('courses_deleted')
      .on(table.deletedAt)
      .where(sql`deleted_at is not null`),
  ],
)

/** Teaching assistants and students of a course. */
export const memberships = sqliteTable(
  'memberships',
  {
    courseId: ofCourse(),
    userId: ofUser(),
    role: text({ enum: ['ta', 'student'] }).notNull(),
    joinedAt: integer().notNull(),
    /** The code by which the person came. Null: staff added them. */
    joinCodeId: integer().references((): AnySQLiteColumn => joinCodes.id, { onDelete: 'set null' }),
  },
  (table) => [
    primaryKey({ columns: [table.courseId, table.userId] }),
    index('memberships_user').on(table.userId, table.courseId),
    index('memberships_staff')
      .on(table.courseId, table.userId, table.role)
      .where(sql`role <> 'student'`),
    index('memberships_join_code')
      .on(table.joinCodeId)
      .where(sql`join_code_id is not null`),
  ],
)

/**
 * Codes and invitations by which people join a course. An invitation has an `email`, and only the SHA-256 of its code is kept. Nulls: no label,
 * no end, any number, not closed.
 */
export const joinCodes = sqliteTable(
  'join_codes',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    courseId: ofCourse(),
    codeHash: text().notNull().unique(),
    code: text(),
    role: text({ enum: ['ta', 'student'] }).notNull(),
    email: text(),
    labelId: integer().references((): AnySQLiteColumn => labels.id, { onDelete: 'set null' }),
    until: integer(),
    most: integer(),
    domains: text({ mode: 'json' }).$type<string[]>().notNull(),
    approval: integer({ mode: 'boolean' }).notNull(),
    /** How many have used it: members, and people who wait or were refused. */
    joined: integer().notNull().default(0),
    createdAt: integer().notNull(),
    closedAt: integer(),
  },
  (table) => [index('join_codes_course').on(table.courseId, table.id)],
)

/** People who wait for approval, and people whom staff refused or removed: these can join by no code until staff add them. */
export const joinRequests = sqliteTable(
  'join_requests',
  {
    courseId: ofCourse(),
    userId: ofUser(),
    joinCodeId: integer().references(() => joinCodes.id, { onDelete: 'set null' }),
    state: text({ enum: ['waiting', 'refused'] }).notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.courseId, table.userId] }),
    index('join_requests_user').on(table.userId),
    index('join_requests_code')
      .on(table.joinCodeId)
      .where(sql`join_code_id is not null`),
  ],
)

/** Labels of a course's members, such as labs and groups. Only staff see those that are not `shown`. */
export const labels = sqliteTable(
  'labels',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    courseId: ofCourse(),
    name: text().notNull(),
    shown: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [uniqueIndex('labels_name').on(table.courseId, table.name)],
)

/** Who has which label. Leaving the course takes a person's labels away. */
export const memberLabels = sqliteTable(
  'member_labels',
  {
    courseId: integer().notNull(),
    userId: integer().notNull(),
    labelId: integer()
      .notNull()
      .references(() => labels.id, CASCADE),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.courseId, table.labelId] }),
    index('member_labels_label').on(table.labelId, table.userId),
    foreignKey({
      columns: [table.courseId, table.userId],
      foreignColumns: [memberships.courseId, memberships.userId],
    }).onDelete('cascade'),
  ],
)

/**
 * Budgets of late days: each student may hand in `size` days late in all the homeworks that name the budget, `mostEach` days in one of
 * them. Which homeworks use days is computed (`spendLateDays`). `movesClosing`: a day moves the closing time, too.
 */
export const lateDayBudgets = sqliteTable(
  'late_day_budgets',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    courseId: ofCourse(),
    name: text().notNull(),
    size: integer().notNull(),
    mostEach: integer().notNull(),
    spending: text().$type<LateDaySpending>().notNull(),
    movesClosing: integer({ mode: 'boolean' }).notNull(),
  },
  (table) => [uniqueIndex('late_day_budgets_name').on(table.courseId, table.name)],
)

/**
 * Announcements of a course; those of `Public` are the system's. The index covers all that a list shows, the beginning of the text
 * included, so that lists never read the texts. The list's query must write the same expressions.
 */
export const announcements = sqliteTable(
  'announcements',
  {
    id: text().primaryKey(),
    courseId: ofCourse(),
    title: text().notNull(),
    markdown: text().notNull(),
    pinned: integer({ mode: 'boolean' }).notNull(),
    creatorId: byUser(),
    updaterId: byUser(),
    version: integer().notNull().default(1),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    deletedAt: integer(),
  },
  (table) => [
    index('announcements_list')
      .on(
        table.courseId,
        table.pinned,
        table.id,
        table.title,
        table.creatorId,
        table.updaterId,
        table.createdAt,
        table.updatedAt,
        sql`substr(markdown, 1, 500)`,
        sql`length(markdown) > 500`,
      )
      .where(sql`deleted_at is null`),
  ],
)

/**
 * Homeworks: a set of problems with dates and a rule for late work. `endAt` is when it is due. `closeAt` null: it closes then. `counts` null: as
 * the course has it. `version` counts edits, also those of overrides (ETag).
 */
export const homeworks = sqliteTable(
  'homeworks',
  {
    id: text().primaryKey(),
    courseId: ofCourse(),
    name: text().notNull(),
    markdown: text().notNull(),
    startAt: integer().notNull(),
    endAt: integer().notNull(),
    closeAt: integer(),
    graceMinutes: integer().notNull().default(0),
    lateRule: text({ mode: 'json' }).$type<LateRule>().notNull().default({ kind: 'none' }),
    counts: text().$type<Counts>(),
    scoreboardStatus: integer().$type<0 | 1>().notNull(),
    scoreboardNames: integer().$type<0 | 1>().notNull().default(0),
    /** The late days that students may use here. */
    budgetId: integer().references(() => lateDayBudgets.id, { onDelete: 'set null' }),
    version: integer().notNull().default(1),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (table) => [
    uniqueIndex('homeworks_name').on(table.courseId, table.name),
    index('homeworks_course').on(table.courseId, table.startAt),
    index('homeworks_start').on(table.startAt),
    index('homeworks_end').on(table.endAt),
    index('homeworks_budget')
      .on(table.budgetId)
      .where(sql`budget_id is not null`),
  ],
)

/** The problems of a homework, in order, with what each is worth. */
export const homeworkProblems = sqliteTable(
  'homework_problems',
  {
    homeworkId: ofHomework(),
    problemId: ofProblem(),
    position: integer().notNull(),
    points: integer().notNull().default(100),
  },
  (table) => [
    primaryKey({ columns: [table.homeworkId, table.problemId] }),
    index('homework_problems_problem').on(table.problemId),
  ],
)

/** The late days that students asked to use in a homework, where the budget waits for this; each student's last word. */
export const askedLateDays = sqliteTable(
  'asked_late_days',
  {
    homeworkId: ofHomework(),
    userId: ofUser(),
    days: integer().notNull(),
    askedAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.homeworkId, table.userId] }),
    index('asked_late_days_user').on(table.userId),
  ],
)

/**
 * Dates and rules that staff set in a homework for a student, for everybody with a label, or for all where both are null. Null fields are the homework's.
 * `latePercent` takes the place of the late rule.
 */
export const homeworkOverrides = sqliteTable(
  'homework_overrides',
  {
    id: integer().primaryKey(),
    homeworkId: ofHomework(),
    userId: integer().references(() => users.id, CASCADE),
    labelId: integer().references(() => labels.id, CASCADE),
    opens: integer(),
    due: integer(),
    closes: integer(),
    graceMinutes: integer(),
    latePercent: integer(),
    quota: integer(),
    excused: integer({ mode: 'boolean' }),
    reason: text().notNull().default(''),
    setterId: byUser(),
    setAt: integer().notNull(),
  },
  (table) => [
    uniqueIndex('homework_overrides_person').on(table.homeworkId, table.userId),
    uniqueIndex('homework_overrides_label')
      .on(table.homeworkId, table.labelId)
      .where(sql`label_id is not null`),
    uniqueIndex('homework_overrides_all')
      .on(table.homeworkId)
      .where(sql`user_id is null and label_id is null`),
    index('homework_overrides_user').on(table.userId),
    index('homework_overrides_of_label').on(table.labelId),
    index('homework_overrides_opens')
      .on(table.opens)
      .where(sql`opens is not null`),
    index('homework_overrides_due')
      .on(table.due)
      .where(sql`due is not null`),
  ],
)

/**
 * What counted before a change of dates that would lower it, until staff confirm the lower mark. `value` in hundredths of a point of 100,
 * as `valueOf` gives it.
 */
export const keptMarks = sqliteTable(
  'kept_marks',
  {
    homeworkId: ofHomework(),
    userId: ofUser(),
    problemId: ofProblem(),
    value: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.homeworkId, table.userId, table.problemId] }),
    index('kept_marks_user').on(table.userId),
  ],
)

/** Points that staff gave: for a problem, or where `problemId` is null for the homework as a whole. */
export const staffPoints = sqliteTable(
  'staff_points',
  {
    id: integer().primaryKey(),
    homeworkId: ofHomework(),
    userId: ofUser(),
    problemId: integer().references(() => problems.id, CASCADE),
    /** Hundredths of a point. */
    hundredths: integer().notNull(),
    comment: text().notNull(),
    giverId: byUser(),
    givenAt: integer().notNull(),
  },
  (table) => [
    index('staff_points_homework').on(table.homeworkId, table.userId),
    index('staff_points_user').on(table.userId),
  ],
)

/** Groups of a gradebook's columns, in order. `weight` null: as its columns weigh. The rule is that of `TotalGroup`. */
export const gradebookGroups = sqliteTable(
  'gradebook_groups',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    courseId: ofCourse(),
    name: text().notNull(),
    position: integer().notNull(),
    /** Hundredths. */
    weight: integer(),
    dropLowest: integer().notNull().default(0),
    capPercent: integer().notNull().default(100),
    isExtra: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [index('gradebook_groups_course').on(table.courseId, table.position)],
)

/**
 * Columns of gradebooks. Triggers make the one of each homework, and each course's total. `position` null: behind the others. All points in
 * hundredths.
 */
export const gradebookColumns = sqliteTable(
  'gradebook_columns',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    courseId: ofCourse(),
    kind: text().$type<ColumnKind>().notNull(),
    homeworkId: text().references(() => homeworks.id, CASCADE),
    /** Empty unless the column is filled by hand. */
    name: text().notNull().default(''),
    /** Of the total: what it is out of, null for the sum of the weights. Null in columns of homeworks: the points of their problems. */
    max: integer(),
    position: integer(),
    groupId: integer().references(() => gradebookGroups.id, { onDelete: 'set null' }),
    /** Null: as `max`. */
    weight: integer(),
    isExtra: integer({ mode: 'boolean' }).notNull().default(false),
    shown: text().$type<Shown>().notNull(),
    /** Of the total: to how many decimals it is rounded, whether assistants see it, and how often the gradebook's form was saved (ETag). */
    decimals: integer().$type<0 | 1 | 2>().notNull().default(2),
    forAssistants: integer({ mode: 'boolean' }).notNull().default(false),
    version: integer().notNull().default(1),
  },
  (table) => [
    index('gradebook_columns_course').on(table.courseId, table.position),
    uniqueIndex('gradebook_columns_homework')
      .on(table.homeworkId)
      .where(sql`homework_id is not null`),
    uniqueIndex('gradebook_columns_total')
      .on(table.courseId)
      .where(sql`kind = 'total'`),
    index('gradebook_columns_group')
      .on(table.groupId)
      .where(sql`group_id is not null`),
  ],
)

/**
 * What a mark was derived from, as it is stored. `settled`: for each problem the person's newest scored submission before which none waited for its
 * verdict. Any later one is new work.
 */
export type StoredDerivation = MarkDerivation & { settled: Readonly<Record<number, string>> }

/** What a mark is derived from of which nothing is computed. */
export const UNDERIVED: StoredDerivation = {
  problems: [],
  added: null,
  lateDays: 0,
  excusedBy: null,
  isSet: false,
  settled: {},
}

/**
 * Marks of students, computed (`worker/features/gradebook`): from submissions, dates and points, from what staff set, or in the total from the other
 * columns. A person without a mark in a homework has no row. `hundredths` null: excused, or no column of the total counts. `derivation` comes
 * last, because it is long and pages do not read it.
 */
export const marks = sqliteTable(
  'marks',
  {
    userId: ofUser(),
    columnId: integer()
      .notNull()
      .references(() => gradebookColumns.id, CASCADE),
    hundredths: integer(),
    isExcused: integer({ mode: 'boolean' }).notNull().default(false),
    /** Staff set it in place of what is computed; never in a column that is filled by hand. */
    isSet: integer({ mode: 'boolean' }).notNull().default(false),
    /** Points of a problem in it stay from before a change of dates that staff have not confirmed. */
    isKept: integer({ mode: 'boolean' }).notNull().default(false),
    /** When it last changed; epoch seconds. */
    changedAt: integer().notNull(),
    derivation: text({ mode: 'json' }).$type<StoredDerivation>(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.columnId] }),
    index('marks_sorted').on(table.columnId, table.hundredths, table.userId),
  ],
)

/**
 * Marks that are to be computed anew. Triggers of the migration write the rows, in the transaction of whatever decides about marks. `claim`:
 * the refresh that computes the mark, or `JUDGING`, while it waits for a rejudge. A further change takes the claim away, so that a mark computed from
 * an older state is not taken for the newest. `isByRule`: what can be in it has changed, the problems of a homework or the rule of a total.
 */
export const staleMarks = sqliteTable(
  'stale_marks',
  {
    columnId: integer()
      .notNull()
      .references(() => gradebookColumns.id, CASCADE),
    userId: ofUser(),
    claim: text(),
    isByRule: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.columnId, table.userId] })],
)

/** What staff set in cells, the newest in force. `hundredths` null and not excused: nothing any more. Rows are only added. */
export const markSettings = sqliteTable(
  'mark_settings',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    columnId: integer()
      .notNull()
      .references(() => gradebookColumns.id, CASCADE),
    userId: ofUser(),
    hundredths: integer(),
    isExcused: integer({ mode: 'boolean' }).notNull().default(false),
    reason: text().notNull(),
    setterId: byUser(),
    setAt: integer().notNull(),
  },
  (table) => [
    index('mark_settings_cell').on(table.columnId, table.userId, table.id),
    index('mark_settings_user').on(table.userId),
  ],
)

/** Marks that their students do not see, whatever the column says. */
export const heldMarks = sqliteTable(
  'held_marks',
  {
    columnId: integer()
      .notNull()
      .references(() => gradebookColumns.id, CASCADE),
    userId: ofUser(),
  },
  (table) => [
    primaryKey({ columns: [table.columnId, table.userId] }),
    index('held_marks_user').on(table.userId),
  ],
)

/** Secret links of calendar feeds. Only the SHA-256 of the token is kept. */
export const calendarLinks = sqliteTable('calendar_links', {
  userId: integer()
    .primaryKey()
    .references(() => users.id, CASCADE),
  tokenHash: text().notNull().unique(),
  createdAt: integer().notNull(),
})

/**
 * The dates of a homework for each person: `datesOf` in SQL, with the reason. People who are no students of the course have the dates for
 * all. Without a condition on both ids it has a row for every person in every homework.
 */
export const homeworkDates = sqliteView('homework_dates', {
  homeworkId: text('homework_id').notNull(),
  courseId: integer('course_id').notNull(),
  budgetId: integer('budget_id'),
  userId: integer('user_id').notNull(),
  opens: integer('opens').notNull(),
  due: integer('due').notNull(),
  closes: integer('closes').notNull(),
  graceMinutes: integer('grace_minutes').notNull(),
  latePercent: integer('late_percent'),
  quota: integer('quota'),
  excused: integer('excused', { mode: 'boolean' }).notNull(),
  why: text('why'),
}).existing()

/** Problems. `testDataVersion` is the active one, null before the first upload. `version` counts edits (ETag). */
export const problems = sqliteTable(
  'problems',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    courseId: ofCourse(),
    name: text().notNull(),
    status: integer().$type<0 | 1>().notNull(),
    type: integer().$type<0>().notNull(),
    ownerId: byUser(),
    tags: text({ mode: 'json' }).$type<string[]>().notNull(),
    quota: integer().notNull(),
    allowedLanguage: integer().notNull(),
    description: text({ mode: 'json' }).$type<ProblemDescription>().notNull(),
    compare: text({ mode: 'json' }).$type<CompareMode>().notNull(),
    testDataVersion: text(),
    /** When test data, limits, scores or comparison last changed; epoch ms. Null: they never changed. */
    judgingChangedAtMs: integer(),
    /** The last bulk rejudge of this problem alone: the id of its operation, without a foreign key. */
    rejudgeId: text(),
    version: integer().notNull().default(1),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    deletedAt: integer(),
  },
  (table) => [index('problems_course').on(table.courseId, table.id)],
)

/** The subtasks of a problem. Time in ms, memory and output in KB. */
export const subtasks = sqliteTable(
  'subtasks',
  {
    problemId: ofProblem(),
    position: integer().notNull(),
    caseCount: integer().notNull(),
    score: integer('task_score').notNull(),
    /** Students see what its cases read, print and expect. */
    isSample: integer({ mode: 'boolean' }).notNull().default(false),
    /** The subtask's cases become samples with the next test data that fit. */
    becomesSample: integer({ mode: 'boolean' }).notNull().default(false),
    memoryLimitKb: integer().notNull(),
    timeLimitMs: integer().notNull(),
    outputLimitKb: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.problemId, table.position] })],
)

/**
 * Test-data zips in R2. A version's bytes never change. `sha256` is null until they have been hashed. A copied problem has rows of
 * its own that name the same object, so an object may be deleted only with the last row that names it.
 */
export const testDataVersions = sqliteTable(
  'test_data_versions',
  {
    id: text().primaryKey(),
    problemId: ofProblem(),
    objectKey: text().notNull(),
    sizeBytes: integer().notNull(),
    sha256: text(),
    /** Cases per subtask in the zip. */
    caseCounts: text({ mode: 'json' }).$type<number[]>().notNull(),
    uploaderId: byUser(),
    createdAt: integer().notNull(),
  },
  (table) => [
    index('test_data_versions_problem').on(table.problemId, table.id),
    index('test_data_versions_object').on(table.objectKey),
    index('test_data_versions_unhashed')
      .on(table.id)
      .where(sql`sha256 is null`),
  ],
)

/**
 * Images and PDFs of statements; the objects in R2 are named by `fileId`. A copied problem has rows of its own that name
 * the same objects.
 */
export const problemFiles = sqliteTable(
  'problem_files',
  {
    problemId: ofProblem(),
    fileId: text().notNull(),
    name: text().notNull(),
    type: text().$type<ProblemFileType>().notNull(),
    sizeBytes: integer().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.problemId, table.fileId] }),
    index('problem_files_file').on(table.fileId),
  ],
)

/** Multipart uploads under way. A row is deleted when its upload is completed or aborted. */
export const testDataUploads = sqliteTable(
  'test_data_uploads',
  {
    id: text().primaryKey(),
    problemId: ofProblem(),
    userId: ofUser(),
    objectKey: text().notNull(),
    /** R2's id of the multipart upload. */
    r2UploadId: text().notNull(),
    lengthBytes: integer().notNull(),
    partBytes: integer().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [index('test_data_uploads_created').on(table.createdAt)],
)

/**
 * Submissions with the result of their current judgement, which `judgementId` names (without a foreign key,
 * which would be a cycle). `status` −2 is a two-step submission without code; lists leave it out.
 * `quotaUsed` 1 counts against the daily quota.
 */
export const submissions = sqliteTable(
  'submissions',
  {
    id: text().primaryKey(),
    problemId: integer()
      .notNull()
      .references(() => problems.id),
    courseId: integer()
      .notNull()
      .references(() => courses.id),
    userId: byUser(),
    languageType: integer().$type<LanguageCode>().notNull(),
    status: integer().notNull(),
    score: integer().notNull().default(0),
    runTimeMs: integer(),
    memoryKb: integer(),
    judgementId: text(),
    quotaUsed: integer().$type<0 | 1>().notNull(),
    ip: text().notNull(),
    createdAt: integer().notNull(),
    /** When the code was accepted; equals `createdAt` for one-step submissions. */
    acceptedAt: integer(),
    idempotencyKey: text(),
    /**
     * The person's count of submissions, this one included: the difference of two gives the number between them. Null: the
     * submission is older than this column.
     */
    ordinal: integer(),
    /** Where an old submission's code and details are: the pack, and the record in it. Null while they are in the database. */
    packId: integer(),
    packOffset: integer(),
    packBytes: integer(),
    /** The size of the packed code. */
    sourceBytes: integer(),
  },
  (table) => [
    index('submissions_judged').on(table.problemId, table.judgementId),
    index('submissions_user').on(table.userId, table.id),
    index('submissions_user_problem').on(table.userId, table.problemId, table.id),
    ...listIndexes(table),
    ...resultIndexes(table),
    index('submissions_pending')
      .on(table.id)
      .where(sql`status = -1`),
    index('submissions_claimed')
      .on(table.id)
      .where(sql`status = -2`),
    uniqueIndex('submissions_idempotency')
      .on(table.userId, table.idempotencyKey)
      .where(sql`idempotency_key is not null`),
    check('submissions_status', sql`status between -2 and 7`),
  ],
)

interface ListColumns extends Record<
  'courseId' | 'problemId' | 'status' | 'languageType' | 'id',
  SQLiteColumn
> {}

/**
 * The indexes of lists of a course or problem (GET /submission), so that a page costs the same for any number of submissions.
 * All these indexes contain the language; a list of all languages merges one range of each language. Each index costs one
 * written row per submission, which is most of a submission's cost; indexes with the status are written with the result.
 */
function listIndexes({ courseId, problemId, status, languageType, id }: ListColumns) {
  const isJudged = sql`status >= 0`
  return [
    index('submissions_by_course').on(courseId, languageType, id),
    index('submissions_by_course_status').on(courseId, status, languageType, id).where(isJudged),
    index('submissions_by_problem').on(problemId, languageType, id),
    index('submissions_by_problem_status').on(problemId, status, languageType, id).where(isJudged),
  ]
}

/** Indexes for the table `problemResults`: a person's best and worst submissions to a problem stand at their ends. */
function resultIndexes(
  table: Record<'userId' | 'problemId' | 'score' | 'runTimeMs' | 'memoryKb' | 'id', SQLiteColumn>,
) {
  const { userId, problemId, score, runTimeMs, memoryKb, id } = table
  return [
    index('submissions_score')
      .on(userId, problemId, score)
      .where(sql`status >= 0 and status <> 6`),
    index('submissions_fastest')
      .on(userId, problemId, runTimeMs, id)
      .where(sql`status = 0 and run_time_ms is not null`),
    index('submissions_leanest')
      .on(userId, problemId, memoryKb, id)
      .where(sql`status = 0 and memory_kb is not null`),
  ]
}

/** Source code, byte for byte; a table of its own so that lists never read it. */
export const submissionSources = sqliteTable('submission_sources', {
  submissionId: text()
    .primaryKey()
    .references(() => submissions.id, { onDelete: 'cascade' }),
  code: blob({ mode: 'buffer' }).notNull(),
})

/**
 * Packs: objects in R2 that hold the code and the details of many old submissions of one course, or small outputs of many
 * judgements. `submissions.packId` and `judgements.outputsPackId` refer to them without a foreign key, because that would look
 * through all submissions whenever a pack is deleted.
 */
export const packs = sqliteTable(
  'packs',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    objectKey: text().notNull(),
    courseId: integer()
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
  },
  (table) => [
    uniqueIndex('packs_object').on(table.objectKey),
    index('packs_course').on(table.courseId),
  ],
)

/** The order of judging: live submissions first, then sample runs, then bulk rejudges. */
export const PRIORITY = { live: 0, run: 1, bulk: 2 } as const
export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY]

/**
 * Judgements, which are also the queue: a row without `finishedAt` is work. A claim leases the best judgement by (priority, rank,
 * id). Every later call carries `lease`.
 */
export const judgements = sqliteTable(
  'judgements',
  {
    id: text().primaryKey(),
    /** Null for a sample run, whose program and inputs are in `sampleRuns`. */
    submissionId: text().references(() => submissions.id, { onDelete: 'cascade' }),
    /** The bulk rejudge that must be applied before this result counts. Null once it is applied, and for all other judgements. */
    rejudgeId: text(),
    /** Course and submitter, repeated here so that polling a pending page reads only two rows. */
    courseId: integer().notNull().default(0),
    userId: integer().notNull().default(0),
    state: text({
      enum: ['queued', 'leased', 'done', 'superseded', 'failed', 'cancelled'],
    }).notNull(),
    priority: integer().$type<Priority>().notNull(),
    /** The student's jobs in the ten minutes before this one; 0 for a rejudge. */
    rank: integer().notNull(),
    attempt: integer().notNull().default(0),
    lease: text(),
    /** A host may claim from this time on: the end of the lease, or of the pause after a hand-back. Null if free or finished. */
    leaseUntil: integer(),
    /** When the present lease began. */
    claimedAt: integer(),
    /** Heartbeats extend the lease up to this time. */
    holdUntil: integer(),
    /** The subtasks at the start of the present lease; the result is checked against them. */
    plan: text({ mode: 'json' }).$type<PlannedSubtask[]>(),
    runnerId: text().references(() => runners.id, { onDelete: 'set null' }),
    queuedAt: integer().notNull(),
    /** When its last ticket was sent. */
    ticketAt: integer().notNull(),
    phase: text({ enum: ['queued', 'compiling', 'running'] }).notNull(),
    /** Cases are counted here only where no channel remembers progress. */
    casesDone: integer().notNull().default(0),
    casesTotal: integer().notNull(),
    finishedAt: integer(),
    testDataVersion: text().references(() => testDataVersions.id, { onDelete: 'set null' }),
    status: integer().notNull().default(-1),
    score: integer().notNull().default(0),
    runTimeMs: integer(),
    memoryKb: integer(),
    subtasks: text({ mode: 'json' }).$type<SubtaskResult[]>(),
    compileMessage: text(),
    /** The mistake of the first failing case; null where there is none, and in results of hosts that do not tell it. */
    mistake: text(),
    /** Why it was a Judge Error, or why a runner handed it back; for staff. */
    reason: text(),
    /** R2 object of the kept outputs; null where there are none, or where a pack has them. */
    outputsKey: text(),
    /** The pack that has the kept outputs, without a foreign key: a pack is deleted when no output in it counts any more. */
    outputsPackId: integer(),
    outputsOffset: integer(),
    outputsBytes: integer(),
  },
  (table) => [
    index('judgements_submission').on(table.submissionId, table.id),
    index('judgements_rejudge')
      .on(table.rejudgeId, table.finishedAt, table.id)
      .where(sql`rejudge_id is not null`),
    index('judgements_open')
      .on(table.ticketAt, table.id)
      .where(sql`finished_at is null`),
    index('judgements_ready')
      .on(table.priority, table.rank, table.id)
      .where(sql`finished_at is null and lease_until is null`),
    index('judgements_resting')
      .on(table.leaseUntil)
      .where(sql`finished_at is null and lease_until is not null`),
    index('judgements_runner')
      .on(table.runnerId)
      .where(sql`finished_at is null and runner_id is not null`),
    index('judgements_outputs_pack')
      .on(table.outputsPackId)
      .where(sql`outputs_pack_id is not null`),
    index('judgements_failed')
      .on(table.finishedAt)
      .where(sql`state = 'failed'`),
    index('judgements_errors')
      .on(table.finishedAt)
      .where(sql`status = 6`),
  ],
)

/** A subtask at the time of the lease. */
type PlannedSubtask = [caseCount: number, score: number, timeLimitMs: number, isSample: 0 | 1]

/**
 * Hand-backs: hosts that had a job and gave no result. A host waits `waitSeconds` after `lastAt` before it may take the job
 * again; other hosts may take it at once. The rows are deleted when the job has a result.
 */
export const handBacks = sqliteTable(
  'hand_backs',
  {
    judgementId: text()
      .notNull()
      .references(() => judgements.id, { onDelete: 'cascade' }),
    runnerId: text()
      .notNull()
      .references(() => runners.id, { onDelete: 'cascade' }),
    firstAt: integer().notNull(),
    lastAt: integer().notNull(),
    waitSeconds: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.judgementId, table.runnerId] }),
    index('hand_backs_runner').on(table.runnerId),
    index('hand_backs_first').on(table.firstAt),
  ],
)

/**
 * Sample runs: programs tried before handing in, one per person, each with a judgement. `code` and `inputs` are deleted when the
 * result comes. The sweeper deletes runs with their judgements after an hour.
 */
export const sampleRuns = sqliteTable('sample_runs', {
  id: text()
    .primaryKey()
    .references(() => judgements.id, { onDelete: 'cascade' }),
  userId: integer()
    .notNull()
    .unique()
    .references(() => users.id, CASCADE),
  problemId: ofProblem(),
  languageType: integer().$type<LanguageCode>().notNull(),
  /** How many of the first inputs are samples, whose outputs are compared. */
  sampleCount: integer().notNull(),
  code: blob({ mode: 'buffer' }),
  inputs: text({ mode: 'json' }).$type<RunInputs['inputs']>(),
  /** Null in a finished run that no host could judge. */
  result: text({ mode: 'json' }).$type<StoredRun>(),
})

/** The result of a run. `output` null: none was kept. Streams are base64. */
export interface StoredRun {
  status: Verdict
  compileMessage: string | null
  cases: (CaseResult & { matches: boolean | null; output: ReportedOutput | null })[]
}

/** Judge hosts. Only the SHA-256 of a runner's token is kept. */
export const runners = sqliteTable(
  'runners',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    tokenHash: text().notNull().unique(),
    state: text({ enum: ['active', 'draining'] }).notNull(),
    slots: integer().notNull(),
    free: integer().notNull(),
    load: real().notNull().default(0),
    /** Moving average of seconds per job; null before the first result. */
    jobSeconds: real(),
    version: text().notNull(),
    /** Null until a runner that an admin added by hand has reported. */
    host: text({ mode: 'json' }).$type<HostInfo>(),
    /** The most jobs that the host may hold, whatever it reports. */
    slotLimit: integer().notNull().default(RUNNERS.slotLimit),
    /** Results refused since an admin last activated it, and the last reason. */
    refusedResults: integer().notNull().default(0),
    lastRefusal: text(),
    /** Verdicts that the host brought, per status 0–7, and seconds that its slots judged, with fractions. */
    verdictCounts: text({ mode: 'json' })
      .$type<number[]>()
      .notNull()
      .default(sql`'[0,0,0,0,0,0,0,0]'`),
    busySeconds: integer().notNull().default(0),
    /** The host registered itself by the registration token, so it makes room for other hosts when it is gone. */
    selfRegistered: integer({ mode: 'boolean' }).notNull().default(false),
    createdAt: integer().notNull(),
    heartbeatAt: integer().notNull(),
  },
  (table) => [index('runners_heartbeat').on(table.heartbeatAt)],
)

/**
 * Operations. A message of the step queue says that an operation has work left. `lease` keeps a second delivery from working on it
 * at the same time. `payload` holds the step's data and progress.
 */
export const operations = sqliteTable(
  'operations',
  {
    id: text().primaryKey(),
    kind: text().$type<OperationKind>().notNull(),
    state: text({ enum: ['running', 'done', 'failed'] }).notNull(),
    done: integer().notNull().default(0),
    total: integer().notNull(),
    ownerId: integer().references(() => users.id, { onDelete: 'set null' }),
    payload: text({ mode: 'json' }).$type<unknown>().notNull(),
    result: text({ mode: 'json' }).$type<unknown>(),
    error: text(),
    /** Failed tries in a row; progress resets the count. */
    attempt: integer().notNull().default(0),
    lease: text(),
    leaseUntil: integer(),
    /** When its last message was sent. */
    sentAt: integer().notNull(),
    createdAt: integer().notNull(),
    finishedAt: integer(),
  },
  (table) => [
    index('operations_open')
      .on(table.sentAt)
      .where(sql`finished_at is null`),
  ],
)

/** A submission in its person's summary: when its code was accepted (epoch seconds), status, score. */
export type Attempt = [acceptedAt: number, status: number, score: number]

/** One person's submissions to one problem, by id. */
export type Attempts = Record<string, Attempt>

/**
 * Copy reports, one row a problem. `operationId`: the newest search, null after it was stopped. The other columns hold the newest
 * finished report. The report stores only the ids of submissions, so that it shows people's present names.
 */
export const copycatReports = sqliteTable(
  'copycat_reports',
  {
    problemId: integer()
      .primaryKey()
      .references(() => problems.id, { onDelete: 'cascade' }),
    operationId: text().references(() => operations.id, { onDelete: 'set null' }),
    report: text({ mode: 'json' }).$type<StoredReport>(),
    /** Hashes of boilerplate, by family: 32 bits each, little-endian, in base64. */
    common: text({ mode: 'json' }).$type<Record<string, string>>(),
    createdAt: integer(),
  },
  (table) => [index('copycat_reports_job').on(table.operationId)],
)

/** A stored report. Pairs name their submissions by position in `submissionIds`. */
export interface StoredReport {
  submissionIds: string[]
  missingCount?: number
  comparedCount: number
  pairCount: number
  histogram: number[]
  pairs: StoredPair[]
}

/** Left, right, similarity, longest, overlap. */
export type StoredPair = [
  left: number,
  right: number,
  similarity: number,
  longest: number,
  overlap: number,
]

/**
 * Summaries: what one person has reached on one problem. Summaries are written in the same batch as any change of a submission
 * (`problem-results.ts`), so that lists, scoreboards and statistics never read all submissions. Judge Errors count as tries and
 * statuses, never as scores.
 */
export const problemResults = sqliteTable(
  'problem_results',
  {
    problemId: ofProblem(),
    userId: ofUser(),
    /** Submissions with code, pending ones included. */
    tries: integer().notNull(),
    /** How many submissions have a score, and the sum of the scores. Best and worst are null while there is no score. */
    scored: integer().notNull(),
    scoreSum: integer().notNull(),
    bestScore: integer(),
    worstScore: integer(),
    /** Submissions per status 0–7. */
    statusCounts: text({ mode: 'json' }).$type<number[]>().notNull(),
    /** The accepted submissions with the shortest run time and the smallest peak of memory. */
    fastestId: text(),
    leanestId: text(),
    /** The time (epoch seconds) since which uses of the quota are counted, and their number. 0: the uses must be counted anew. */
    quotaSince: integer().notNull().default(0),
    quotaUses: integer().notNull().default(0),
    /** The newest submission that failed, and its mistake. Both are null while none has failed with a known mistake. */
    failedId: text(),
    mistake: text(),
    /** All submissions if there are at most `ATTEMPTS.kept`, else none. */
    attempts: text({ mode: 'json' })
      .$type<Attempts>()
      .notNull()
      .default(sql`'{}'`),
  },
  (table) => [primaryKey({ columns: [table.problemId, table.userId] })],
)

/**
 * Questions of a student to the staff of a course, about a problem or a line of a submission; staff may
 * begin one, too (a comment). Requests for other dates are questions about a homework. `teacherOnly`: no assistant reads it. `unread`: the student has not seen the newest message of staff. `version`
 * counts messages and resolving (ETag).
 */
export const questions = sqliteTable(
  'questions',
  {
    id: text().primaryKey(),
    courseId: ofCourse(),
    /** Null in a request. */
    problemId: integer().references(() => problems.id, CASCADE),
    /** Only in a request. */
    homeworkId: text().references(() => homeworks.id, CASCADE),
    /** Only in a question about a mark, which `markOutcome` decides. */
    columnId: integer().references(() => gradebookColumns.id, CASCADE),
    markOutcome: text({ enum: ['changed', 'kept'] }),
    teacherOnly: integer({ mode: 'boolean' }).notNull().default(false),
    submissionId: text().references(() => submissions.id, CASCADE),
    /** Line numbers begin at 1; null without a submission. */
    line: integer(),
    studentId: byUser(),
    state: text().$type<QuestionState>().notNull(),
    unread: integer({ mode: 'boolean' }).notNull(),
    version: integer().notNull().default(1),
    createdAt: integer().notNull(),
    /** The time of the newest message. */
    updatedAt: integer().notNull(),
  },
  (table) => [
    index('questions_course').on(table.courseId, table.state, table.id),
    index('questions_problem').on(table.problemId, table.state, table.id),
    index('questions_homework')
      .on(table.homeworkId, table.studentId)
      .where(sql`homework_id is not null`),
    index('questions_column')
      .on(table.columnId, table.studentId)
      .where(sql`column_id is not null`),
    index('questions_student').on(table.studentId, table.courseId, table.id),
    index('questions_unread')
      .on(table.studentId, table.courseId)
      .where(sql`unread = 1`),
    index('questions_submission').on(
      table.submissionId,
      table.problemId,
      table.studentId,
      table.id,
    ),
  ],
)

/**
 * What students request: another due time in a homework, with a file if they wish, whose object in R2 `fileId` names. `outcome` null: staff
 * have not decided. The sweeper deletes old requests with their questions. Triggers of the migration make the object of a row that goes,
 * or gets another file, an expected orphan.
 */
export const dateRequests = sqliteTable(
  'date_requests',
  {
    questionId: text()
      .primaryKey()
      .references(() => questions.id, CASCADE),
    due: integer().notNull(),
    outcome: text({ enum: ['granted', 'declined'] }),
    grantedDue: integer(),
    fileId: text(),
    fileName: text(),
    fileType: text().$type<ProblemFileType>(),
    fileBytes: integer(),
  },
  (table) => [
    index('date_requests_file')
      .on(table.fileId)
      .where(sql`file_id is not null`),
  ],
)

/** The texts of questions; they are never changed. A person's `idempotencyKey` makes only one message. */
export const questionMessages = sqliteTable(
  'question_messages',
  {
    id: text().primaryKey(),
    questionId: text()
      .notNull()
      .references(() => questions.id, CASCADE),
    authorId: byUser(),
    markdown: text().notNull(),
    idempotencyKey: text().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [
    index('question_messages_question').on(table.questionId, table.id),
    uniqueIndex('question_messages_author').on(table.authorId, table.idempotencyKey),
  ],
)

/**
 * Hints: texts for everybody who makes a mistake, or whose first failing case is one case. A hint shows while `judgingChangedAtMs` is that of
 * its problem; so a change of what judging depends on sets it aside. A sample that becomes hidden does, too.
 */
export const hints = sqliteTable(
  'hints',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    problemId: ofProblem(),
    /** The mistake; null for a hint about a case. */
    mistake: text(),
    /** Numbers of subtask and case, from 0; null for a hint about a mistake. */
    task: integer(),
    caseIndex: integer(),
    markdown: text().notNull(),
    authorId: byUser(),
    updatedAt: integer().notNull(),
    judgingChangedAtMs: integer(),
  },
  (table) => [
    index('hints_problem').on(table.problemId, table.id),
    check('hints_about', sql`(mistake is null) = (task is not null and case_index is not null)`),
  ],
)

/** `judgingChangedAtMs` of a hint that is set aside whatever that of its problem is. */
export const ASIDE = 0

/** What students answered to "Did this help?". */
export const hintAnswers = sqliteTable(
  'hint_answers',
  {
    hintId: integer()
      .notNull()
      .references(() => hints.id, CASCADE),
    userId: ofUser(),
    helped: integer({ mode: 'boolean' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.hintId, table.userId] }),
    index('hint_answers_user').on(table.userId),
  ],
)

/** Mistakes that staff count to another one, which itself is merged into none. */
export const mergedMistakes = sqliteTable(
  'merged_mistakes',
  {
    problemId: ofProblem(),
    mistake: text().notNull(),
    into: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.problemId, table.mistake] })],
)

/** A person's own texts for answers. `version` counts edits (ETag). */
export const savedReplies = sqliteTable('saved_replies', {
  userId: integer()
    .primaryKey()
    .references(() => users.id, CASCADE),
  replies: text({ mode: 'json' }).$type<string[]>().notNull(),
  version: integer().notNull().default(1),
})

/**
 * Notices, one row each, however many people get it: `userId` null is everybody in the course with the right of the kind. Ids count up in the order
 * in which the database stored them. Who may see a notice is asked whenever it is shown or mailed. `at`, only in kinds that the sweeper makes: the
 * time that the notice is about, so that it is made once.
 */
export const notices = sqliteTable(
  'notices',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    kind: text().$type<NoticeKind>().notNull(),
    courseId: ofCourse(),
    userId: integer().references(() => users.id, CASCADE),
    /** The announcement, homework, question, submission or column. */
    subjectId: text(),
    at: integer(),
    /** The person who caused it and hears nothing of it. */
    actorId: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: integer().notNull(),
  },
  (table) => [
    index('notices_course')
      .on(table.courseId, table.id)
      .where(sql`user_id is null`),
    index('notices_created').on(table.createdAt),
    index('notices_user')
      .on(table.userId, table.id)
      .where(sql`user_id is not null`),
    uniqueIndex('notices_at')
      .on(table.kind, table.subjectId, table.at)
      .where(sql`at is not null`),
  ],
)

/**
 * How a person hears of notices, and how far they have. Kinds that `deliveries` does not have are as usual. `seenId`, `mailedId`: the last notice
 * that was seen, that was mailed. `unsubscribeKey`: the token in mails.
 */
export const noticeSettings = sqliteTable('notice_settings', {
  userId: integer()
    .primaryKey()
    .references(() => users.id, CASCADE),
  seenId: integer().notNull().default(0),
  mailedId: integer().notNull().default(0),
  deliveries: text({ mode: 'json' })
    .$type<Partial<Record<NoticeKind, Delivery>>>()
    .notNull()
    .default(sql`'{}'`),
  /** Ids of courses. */
  mutedCourses: text({ mode: 'json' })
    .$type<number[]>()
    .notNull()
    .default(sql`'[]'`),
  mailsOff: integer({ mode: 'boolean' }).notNull().default(false),
  unsubscribeKey: text().unique(),
})

/** Who is to get a mail with their new notices, and from when on. A call that mails them moves the time, so that no other mails them, too. */
export const noticeMails = sqliteTable(
  'notice_mails',
  { dueAt: integer().notNull(), userId: ofUser() },
  (table) => [primaryKey({ columns: [table.dueAt, table.userId] })],
)

/** Webhooks of courses. `sentId`: the last notice that the address took. `failingSince` null: it took the last one. */
export const courseWebhooks = sqliteTable('course_webhooks', {
  courseId: integer()
    .primaryKey()
    .references(() => courses.id, CASCADE),
  url: text().notNull(),
  secret: text().notNull(),
  sentId: integer().notNull(),
  createdAt: integer().notNull(),
  failingSince: integer(),
  nextTryAt: integer().notNull().default(0),
  fault: text(),
  offAt: integer(),
})

/** One-time links sent by mail. Only the SHA-256 of the token is stored. A newer link replaces the older one of the same purpose. */
export const accountLinks = sqliteTable(
  'account_links',
  {
    userId: ofUser(),
    purpose: text({ enum: ['reset', 'activate', 'confirm', 'move'] }).notNull(),
    tokenHash: text().notNull().unique(),
    /** For the purpose `move`: the address that got the link and that the account moves to. */
    newEmail: text(),
    expiresAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.purpose] }),
    index('account_links_expiry').on(table.expiresAt),
  ],
)

/** Personal API tokens. Only the SHA-256 of a token is stored. */
export const apiTokens = sqliteTable(
  'api_tokens',
  {
    id: text().primaryKey(),
    userId: ofUser(),
    name: text().notNull(),
    tokenHash: text().notNull().unique(),
    scopes: text({ mode: 'json' }).$type<TokenScope[]>().notNull(),
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
    lastUsedAt: integer(),
  },
  (table) => [index('api_tokens_user').on(table.userId, table.id)],
)

/** Rate limits (GCRA). `fullAtMs`: when the bucket is full again. `allowed`: the answer to the last call. */
export const rateLimits = sqliteTable('rate_limits', {
  key: text().primaryKey(),
  fullAtMs: integer().notNull(),
  allowed: integer().$type<0 | 1>().notNull(),
})

/** Mails given to the driver `log`: local installations and tests only. */
export const loggedMails = sqliteTable('logged_mails', {
  id: integer().primaryKey({ autoIncrement: true }),
  recipient: text().notNull(),
  subject: text().notNull(),
  text: text().notNull(),
  createdAt: integer().notNull(),
})

/** The sweeper's cursors (`sweep-cursors.ts`): the last key seen under a prefix of R2 or in a table, empty at its start. */
export const sweepPositions = sqliteTable('sweep_positions', {
  prefix: text().primaryKey(),
  after: text().notNull(),
  /** A cursor at its start waits until this time; epoch seconds. */
  restUntil: integer().notNull().default(0),
})

/** Marked orphans in R2 and since when (epoch seconds); they are deleted a week later. */
export const orphans = sqliteTable('orphans', {
  key: text().primaryKey(),
  since: integer().notNull(),
  /** This database itself gave the object up, so the orphan is no sign of a wrong database. */
  isExpected: integer({ mode: 'boolean' }).notNull().default(false),
})

/** The installation, one row: its id, which is in the bucket as well, and whether the sweeper may delete there. */
export const installation = sqliteTable(
  'installation',
  {
    id: integer().primaryKey(),
    /** Null until the bucket is known to belong to this database. */
    token: text(),
    state: text().$type<'ok' | 'mismatch' | 'held'>().notNull(),
    /** The page that waits for an admin's confirmation. */
    held: text({ mode: 'json' }).$type<{ prefix: string; orphans: number; objects: number }>(),
    /** When an admin last confirmed; epoch seconds. */
    confirmedAt: integer(),
  },
  (table) => [check('installation_one', sql`${table.id} = 1`)],
)

/** What the installation knows about its own work: when something last happened (epoch seconds), how often something failed. */
export const vitals = sqliteTable('vitals', {
  name: text({
    enum: [
      'swept_at',
      'mail_tried_at',
      'mail_sent_at',
      'mail_failing_at',
      'alarm_tried_at',
      'alarm_told_at',
      'operation_given_up_at',
      'backed_up_at',
      'hash_tried_at',
      'hashed_at',
      'api_errors',
      'sweep_errors',
      'mail_errors',
      // Mailed links wait until this time, and so do mails with notices.
      'mails_resume_at',
      // Only mails with notices wait until this time.
      'notices_resume_at',
      // The day of the last mail (days since 1970-01-01, UTC), and how many went out on it.
      'mail_day',
      'mails_of_day',
    ],
  }).primaryKey(),
  value: integer().notNull(),
})

/**
 * Alarms, a row for each state that lasts or whose end is still to be told (`overAt`). `webhookTold`, `mailTold`: what was last
 * sent there. `nextAt`: the earliest time of the next notice; the sweep that sends it moves this time, so that no other sweep sends
 * it, too.
 */
export const alarms = sqliteTable('alarms', {
  state: text().$type<AlarmState>().primaryKey(),
  since: integer().notNull(),
  overAt: integer(),
  webhookTold: text({ enum: ['begun', 'over'] }),
  mailTold: text({ enum: ['begun', 'over'] }),
  /** Attempts to send the notice that the alarm has begun or is over. */
  tries: integer().notNull().default(0),
  nextAt: integer().notNull(),
})

/** The database's size at the first sweep of each day (days since 1970-01-01, UTC), to tell how fast it grows. */
export const databaseSizes = sqliteTable('database_sizes', {
  day: integer().primaryKey(),
  bytes: integer().notNull(),
})

/** Inserting a refusal aborts the batch with that message; only `demand.ts` inserts. */
export const demands = sqliteView('demands', { refusal: text().notNull() }).existing()
