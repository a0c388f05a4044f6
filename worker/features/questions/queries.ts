/** Reads questions: lists of a course by keyset, threads with their messages. */
import { and, asc, desc, eq, gt, isNull, lt, sql, type SQL } from 'drizzle-orm'
import type { SQLiteSelect } from 'drizzle-orm/sqlite-core'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import type {
  DateRequest,
  Question,
  QuestionItem,
  QuestionListParams,
  QuestionThread,
} from '#contract/questions'
import { can, type Capability, type Standing } from '#contract/roles'
import { aliasColumns, type Db } from '../../db/client.ts'
import { hasLabel } from '../../db/label-filter.ts'
import { userInfoColumns } from '../../db/people.ts'
import {
  courses,
  dateRequests,
  gradebookColumns,
  homeworks,
  memberships,
  problems,
  questionMessages,
  questions,
  users,
} from '../../db/schema.ts'
import { columnTitle } from '../../db/shown-marks.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, standingCan, standingOf, type CourseStanding } from '../../db/standing.ts'
import { scalar } from '../../db/statements.ts'
import { isOpen, isReadable, isUnread } from '../../db/waiting-questions.ts'
import { itemTag } from '../../http/edit-tag.ts'

/**
 * What a question is about, and the caller's standing: a submission of a problem, or with `submissionId` null the problem as a whole; a
 * request is about a homework alone, and a regrade question about a column of the gradebook.
 */
export interface QuestionAbout {
  courseId: number
  timeZone: string
  problemId: number | null
  homeworkId: string | null
  columnId: number | null
  submissionId: string | null
  studentId: number
  /** No teaching assistant may read it. */
  teacherOnly: boolean
  standing: Standing
}

/** A subject whose student and submission may be columns of the statement. */
export type Subject = Pick<QuestionAbout, 'problemId' | 'homeworkId' | 'columnId'> & {
  submissionId: string | SQL | null
  studentId: number | SQL
}

/** The condition for the same student's questions about the same subject; an index finds them. */
export function isAbout(about: Subject): SQL {
  const { submissionId, problemId, homeworkId, columnId, studentId } = about
  if (columnId !== null)
    return sql`(${questions.columnId} = ${columnId} and ${questions.studentId} = ${studentId})`
  if (homeworkId !== null)
    return sql`(${questions.homeworkId} = ${homeworkId} and ${questions.studentId} = ${studentId})`
  return sql`(${questions.submissionId} is ${submissionId} and ${questions.problemId} = ${problemId}
    and ${questions.studentId} = ${studentId})`
}

/** A question with its subject and the caller's standing. */
export interface QuestionAccess extends QuestionAbout {
  questionId: string
}

/** Who can read a question besides its student. */
export function readersOf({ teacherOnly }: Pick<QuestionAbout, 'teacherOnly'>): Capability {
  return teacherOnly ? 'course.manage' : 'question.answer'
}

/** Whether a caller may read a question: its student may while in the course, and the course's staff may. */
function isVisible(
  question: Pick<QuestionAbout, 'studentId' | 'standing' | 'teacherOnly'>,
  user: SessionUser,
) {
  const { studentId, standing } = question
  return (
    can(standing, readersOf(question)) || (studentId === user.id && can(standing, 'course.read'))
  )
}

/** A question with the caller's standing; undefined if they may not see it. */
export async function findQuestionAccess(
  db: Db,
  user: SessionUser,
  questionId: string,
): Promise<QuestionAccess | undefined> {
  const access = await db
    .select({
      questionId: questions.id,
      courseId: questions.courseId,
      timeZone: courses.timeZone,
      problemId: questions.problemId,
      homeworkId: questions.homeworkId,
      columnId: questions.columnId,
      submissionId: questions.submissionId,
      studentId: questions.studentId,
      teacherOnly: questions.teacherOnly,
      standing: standingOf(user),
    })
    .from(questions)
    .innerJoin(courses, eq(courses.id, questions.courseId))
    .leftJoin(memberships, ownMembership(user))
    .where(and(eq(questions.id, questionId), isNull(courses.deletedAt)))
    .get()
  return access && isVisible(access, user) ? access : undefined
}

/** The columns of a question; for `joinAbout`. */
function questionColumns() {
  return {
    student: aliasColumns(userInfoColumns(users)),
    columnName: columnTitle.as('columnName'),
    ...aliasColumns({
      questionId: questions.id,
      studentId: questions.studentId,
      course: courses.name,
      problemId: questions.problemId,
      problemName: problems.name,
      submissionId: questions.submissionId,
      line: questions.line,
      state: questions.state,
      unread: questions.unread,
      createTime: questions.createdAt,
      updateTime: questions.updatedAt,
      homeworkId: questions.homeworkId,
      homeworkName: homeworks.name,
      teacherOnly: questions.teacherOnly,
      due: dateRequests.due,
      outcome: dateRequests.outcome,
      grantedDue: dateRequests.grantedDue,
      fileName: dateRequests.fileName,
      fileType: dateRequests.fileType,
      fileBytes: dateRequests.fileBytes,
      columnId: questions.columnId,
      markOutcome: questions.markOutcome,
    }),
  }
}

/** Joins what a question is about and, for the student, `users`. */
function joinAbout<Query extends SQLiteSelect>(query: Query) {
  return query
    .innerJoin(courses, eq(courses.id, questions.courseId))
    .leftJoin(problems, eq(problems.id, questions.problemId))
    .leftJoin(homeworks, eq(homeworks.id, questions.homeworkId))
    .leftJoin(dateRequests, eq(dateRequests.questionId, questions.id))
    .leftJoin(gradebookColumns, eq(gradebookColumns.id, questions.columnId))
    .innerJoin(users, eq(users.id, questions.studentId))
}

interface RequestRow extends Pick<
  typeof dateRequests.$inferSelect,
  'outcome' | 'grantedDue' | 'fileName' | 'fileType' | 'fileBytes'
> {
  homeworkId: string | null
  homeworkName: string | null
  teacherOnly: boolean
  due: number | null
}

type QuestionRow = Omit<Question, 'waiting' | 'request' | 'mark'> &
  RequestRow &
  Pick<typeof questions.$inferSelect, 'columnId' | 'markOutcome' | 'unread' | 'studentId'> & {
    columnName: string | null
  }

/** Row → contract: what a request asks for; null in other questions. */
function toRequest(row: RequestRow): DateRequest | null {
  const { homeworkId, homeworkName, due, outcome, grantedDue, teacherOnly } = row
  if (homeworkId === null || homeworkName === null || due === null) return null
  return { homeworkId, homeworkName, due, outcome, grantedDue, teacherOnly, file: toFile(row) }
}

/** The file of a request; null without one. */
export function toFile({
  fileName: name,
  fileType: type,
  fileBytes: size,
}: Pick<RequestRow, 'fileName' | 'fileType' | 'fileBytes'>): DateRequest['file'] {
  return name === null || type === null || size === null ? null : { name, type, size }
}

/** Row → contract. It copies field by field, because rows hold more than is shown. */
function toQuestion(row: QuestionRow, user: SessionUser, standing: Standing): Question {
  const { columnId, columnName, markOutcome: outcome } = row
  return {
    questionId: row.questionId,
    course: row.course,
    problemId: row.problemId,
    problemName: row.problemName,
    request: toRequest(row),
    mark: columnId === null ? null : { columnId, columnName: columnName ?? '', outcome },
    submissionId: row.submissionId,
    line: row.line,
    student: row.student,
    state: row.state,
    waiting:
      (row.state === 'open' && can(standing, 'question.answer')) ||
      (row.unread && row.studentId === user.id),
    createTime: row.createTime,
    updateTime: row.updateTime,
  }
}

/** The questions that a list may show: for staff all questions, for others the caller's own. */
function scopeOf(
  user: SessionUser,
  { id: courseId, standing }: CourseStanding,
  { problemId, label }: QuestionListParams,
): SQL | undefined {
  const isOfCourse = eq(questions.courseId, courseId)
  if (!can(standing, 'question.answer')) {
    const isOfProblem = problemId === undefined ? undefined : eq(questions.problemId, problemId)
    return and(isOfCourse, eq(questions.studentId, user.id), isOfProblem)
  }
  const isInScope =
    problemId === undefined
      ? isOfCourse
      : sql`${questions.problemId} = (select ${problems.id} from ${problems}
        where ${problems.id} = ${problemId} and ${problems.courseId} = ${courseId})`
  return and(
    isInScope,
    isReadable(user.id, standingCan(sql`${standing}`, 'course.manage')),
    hasLabel(label, questions.studentId, courseId),
  )
}

/** The beginning of a question's first message. */
const excerpt =
  scalar<string>(sql`select substr(${questionMessages.markdown}, 1, ${TEXT_LIMITS.questionExcerpt})
    from ${questionMessages} where ${questionMessages.questionId} = ${questions.id}
    order by ${questionMessages.id} limit 1`)

/** A page of a course's questions, one more than `limit`. @param from the id at which the previous page ended */
export async function listQuestions(
  db: Db,
  user: SessionUser,
  course: CourseStanding,
  params: QuestionListParams,
  from: string | undefined,
): Promise<QuestionItem[]> {
  const { state, limit = COUNT_LIMITS.listItemsDefault } = params
  const scope = scopeOf(user, course, params)
  const isInState = state && eq(questions.state, state)
  const isInbox = can(course.standing, 'question.answer') && (state ?? 'open') === 'open'
  const isNext = from === undefined ? undefined : (isInbox ? gt : lt)(questions.id, from)
  // Each part follows the order of its index, so a page reads no more rows than it shows.
  const waiting = sql`select id from (select ${questions.id} from ${questions}
      where ${and(scope, isOpen, isNext)} order by ${questions.id} limit ${limit + 1})
    union all select ${questions.id} from ${questions} where ${and(scope, isUnread(user.id), isNext)}`
  const rows = await joinAbout(
    db
      .select({ ...questionColumns(), excerpt })
      .from(questions)
      .$dynamic(),
  )
    .where(isInbox ? sql`${questions.id} in (${waiting})` : and(scope, isInState, isNext))
    .orderBy((isInbox ? asc : desc)(questions.id))
    .limit(limit + 1)
  return rows.map((row) => ({ ...toQuestion(row, user, course.standing), excerpt: row.excerpt }))
}

/** The threads that the caller may see, with their versions, oldest first, in one round trip. */
async function readThreads(db: Db, user: SessionUser, which: SQL) {
  const [rows, messages] = await db.batch([
    joinAbout(
      db
        .select({
          ...questionColumns(),
          ...aliasColumns({ version: questions.version }),
          standing: standingOf(user).as('standing'),
        })
        .from(questions)
        .$dynamic(),
    )
      .leftJoin(memberships, ownMembership(user))
      .where(and(which, isNull(courses.deletedAt)))
      .orderBy(asc(questions.id)),
    db
      .select({
        author: aliasColumns(userInfoColumns(users)),
        ...aliasColumns({
          questionId: questions.id,
          messageId: questionMessages.id,
          markdown: questionMessages.markdown,
          createTime: questionMessages.createdAt,
        }),
      })
      .from(questions)
      .innerJoin(questionMessages, eq(questionMessages.questionId, questions.id))
      .innerJoin(users, eq(users.id, questionMessages.authorId))
      .where(which),
  ])
  return rows
    .filter((row) => isVisible(row, user))
    .map((row) => ({
      version: row.version,
      thread: {
        ...toQuestion(row, user, row.standing),
        messages: messages
          .filter(({ questionId }) => questionId === row.questionId)
          .map(({ messageId, author, markdown, createTime }) => ({
            messageId,
            author,
            markdown,
            createTime,
          }))
          .toSorted((left, right) => (left.messageId < right.messageId ? -1 : 1)),
        etag: itemTag(row.version),
      } satisfies QuestionThread,
    }))
}

/** A question with its messages, if the caller may see it. */
export async function getQuestion(db: Db, user: SessionUser, questionId: string) {
  const [found] = await readThreads(db, user, eq(questions.id, questionId))
  return found
}

/** The questions about lines of a submission that the caller may see. */
export async function listSubmissionQuestions(
  db: Db,
  user: SessionUser,
  submission: QuestionAbout,
): Promise<QuestionThread[]> {
  const found = await readThreads(db, user, isAbout(submission))
  return found.map(({ thread }) => thread)
}
