/** Where mails and webhooks lead. */
import type { NoticeKind } from '#contract/notices'

/** The page of a kind, below the course's; `question`, `submission` and `announcements` are of the subject. */
const PAGES: Readonly<Record<NoticeKind, string>> = {
  answer: 'question/',
  announcement: 'announcements/',
  homework_opens: 'homeworks',
  due_tomorrow: 'homeworks',
  own_dates: 'homeworks',
  request_answered: 'question/',
  marks_shown: 'marks',
  mark_changed: 'marks',
  regrade_answered: 'question/',
  let_in: '',
  question: 'question/',
  request: 'question/',
  regrade: 'question/',
  join_request: 'members',
  judge_error: 'submission/',
  nobody_judges: 'submissions',
  webhook_off: 'settings',
}

/** The address of what a notice is about. @param origin the address of the web app */
export function linkOf(
  origin: string,
  { kind, course, subjectId }: { kind: NoticeKind; course: string; subjectId: string | null },
): string {
  const page = PAGES[kind]
  const path = page.endsWith('/') ? page + (subjectId ?? '') : page
  return [origin, 'course', encodeURIComponent(course), path]
    .filter((part) => part !== '')
    .join('/')
}
