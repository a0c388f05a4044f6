/** Where notices lead. */
import type { Notice } from '#contract/notices'
import { STATUS } from '#contract/verdicts'
import { markId } from '../../lib/queries/marks.ts'
import { paths } from '../../paths.ts'

/** The address of what a notice is about. */
export function noticePath({ kind, course, subjectId }: Notice): string {
  const id = subjectId ?? ''
  switch (kind) {
    case 'announcement':
      return paths.announcement(course, id)
    case 'homework_opens':
    case 'due_tomorrow':
    case 'own_dates':
      return `${paths.homeworks(course)}#homework-${id}`
    case 'answer':
    case 'question':
    case 'request':
    case 'request_answered':
    case 'regrade':
    case 'regrade_answered':
      return paths.question(course, id)
    case 'marks_shown':
    case 'mark_changed':
      return `${paths.marks(course)}#${markId(id)}`
    case 'judge_error':
      return paths.submission(course, id)
    case 'nobody_judges':
      return paths.submissions(course, { status: STATUS.PENDING })
    case 'join_request':
      return paths.members(course)
    case 'let_in':
      return paths.course(course)
    case 'webhook_off':
      return paths.courseSettings(course)
  }
}
