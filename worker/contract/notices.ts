/** Notices: what is new for a person in their courses, in the app and by mail. */
import * as z from 'zod'
import { courseName, epochSeconds, intBetween, listOf } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'
import type { Capability } from '#contract/roles'

/**
 * How somebody hears of a kind: not at all, in the app only, or also by mail: with the day's other news in the morning, or at once. Every mail
 * has all that is new since the mail before it.
 */
export const delivery = z.enum(['off', 'app', 'daily', 'now'])
export type Delivery = z.infer<typeof delivery>

interface Kind {
  /** What a person's standing in the course must allow, when the notice is made and again whenever it is shown or mailed. */
  right: Capability
  /** How people hear of it who have not chosen. */
  usual: Delivery
}

/**
 * Every kind of notice. `answer`: to one's question. `own_dates`: staff changed dates that are one's own. `request_answered`: one's request
 * for another date. `let_in`: staff approved that one joins. `marks_shown`: students see the marks of a column, or one's own that was held. `mark_changed`: a mark that one sees
 * is another now, by somebody else's deed. `regrade_answered`: one's question about a mark. `due_tomorrow`: a homework is due within a day, and one has handed in nothing.
 * For staff: `question`, `request`, and `regrade` about a mark; `join_request`: somebody waits for approval, where nobody waited; `judge_error`; `nobody_judges`: submissions of the course wait, and no judge host takes
 * jobs; `webhook_off`: the course's webhook failed for a day.
 */
export const NOTICE_KINDS = {
  answer: { right: 'course.read', usual: 'now' },
  announcement: { right: 'course.read', usual: 'daily' },
  homework_opens: { right: 'scoreboard.appear', usual: 'daily' },
  due_tomorrow: { right: 'scoreboard.appear', usual: 'now' },
  own_dates: { right: 'scoreboard.appear', usual: 'now' },
  request_answered: { right: 'course.read', usual: 'now' },
  marks_shown: { right: 'scoreboard.appear', usual: 'daily' },
  mark_changed: { right: 'scoreboard.appear', usual: 'now' },
  regrade_answered: { right: 'course.read', usual: 'now' },
  let_in: { right: 'course.read', usual: 'now' },
  question: { right: 'question.answer', usual: 'daily' },
  request: { right: 'question.answer', usual: 'daily' },
  regrade: { right: 'question.answer', usual: 'daily' },
  join_request: { right: 'members.manage', usual: 'daily' },
  judge_error: { right: 'submission.readAll', usual: 'daily' },
  nobody_judges: { right: 'submission.readAll', usual: 'now' },
  webhook_off: { right: 'course.manage', usual: 'now' },
} as const satisfies Record<string, Kind>
export type NoticeKind = keyof typeof NOTICE_KINDS

const KIND_NAMES = Object.keys(NOTICE_KINDS) as NoticeKind[]
export const noticeKind = z.enum(KIND_NAMES)

/** The kinds that a course's webhook gets. */
export const WEBHOOK_KINDS = [
  'question',
  'request',
  'regrade',
  'judge_error',
  'nobody_judges',
] as const

/**
 * A notice. `title`: of the announcement, homework, problem or column; empty where the kind says all. `subjectId`: the announcement, homework, question,
 * submission or column it is about; null where there is none. `isNew`: the person has not seen it yet.
 */
const notice = z.object({
  id: z.int(),
  kind: noticeKind,
  course: z.string(),
  title: z.string(),
  subjectId: z.string().nullable(),
  createTime: epochSeconds,
  isNew: z.boolean(),
})
export type Notice = z.infer<typeof notice>

/** Query of GET /notices: newest first. `before`: the last id of the page before. */
export const noticeListParams = z.object({
  before: z.coerce.number<string>().pipe(z.int().min(1)).optional(),
})

/** Answer of GET /notices. A page with fewer items than `COUNT_LIMITS.notices` is the last one. */
export const noticeList = z.object({ items: z.array(notice) })

/** GET /notices/count: the notices that the person has not seen, counted up to `COUNT_LIMITS.newNotices`. */
export const noticeCount = z.object({ count: z.int() })

/** PUT /notices/seen: everything up to this notice has been seen. */
export const noticesSeen = z.object({ noticeId: intBetween(0, Number.MAX_SAFE_INTEGER) })

/** PUT /notices/settings. Kinds that are absent stay as they are. `mutedCourses`: one hears nothing of them. `mails: false`: no mail at all. */
export const noticeSettings = z.object({
  kinds: z.partialRecord(noticeKind, delivery),
  mutedCourses: listOf(courseName, COUNT_LIMITS.mutedCourses),
  mails: z.boolean(),
})
export type NoticeSettings = z.infer<typeof noticeSettings>

/**
 * GET /notices/settings. `kinds`: those that the person may get in some course. `courses`: all of the person's. `address`: where mails go; null until
 * it is confirmed, or where the installation sends no mail.
 */
export const ownNoticeSettings = noticeSettings.extend({
  courses: z.array(z.string()),
  address: z.string().nullable(),
})
export type OwnNoticeSettings = z.infer<typeof ownNoticeSettings>

/** Query of POST /notices/unsubscribe: the token of the link in a mail (RFC 8058). It ends all these mails. */
export const unsubscribeParams = z.object({ token: z.string().max(64) })
