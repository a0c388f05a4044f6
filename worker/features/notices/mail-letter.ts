/** The mail with what is new for a person. Names in it are anybody's text: each stands on one line and is cut. */
import type { Notice, NoticeKind } from '#contract/notices'
import type { Mail } from '../../lib/mail.ts'
import { linkOf } from '../../lib/notice-links.ts'

/** The most things that one mail names. */
const LINES = 50
/** The most characters of a name. */
const NAME_LENGTH = 64

type News = Pick<Notice, 'kind' | 'course' | 'title' | 'subjectId'>

/** A name on one line. */
const nameOf = (text: string) =>
  [...text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()].slice(0, NAME_LENGTH).join('')

const quoted = (title: string) => (nameOf(title) === '' ? '' : `“${nameOf(title)}”`)

/** Words and a title, which may be missing. */
const withTitle = (words: string, joint: string, title: string) =>
  quoted(title) === '' ? words : `${words} ${joint} ${quoted(title)}`

/** What a kind says of a title. */
const SENTENCES: Readonly<Record<NoticeKind, (title: string) => string>> = {
  answer: (title) => withTitle('New answer to your question', 'about', title),
  announcement: (title) => `New announcement: ${quoted(title)}`,
  homework_opens: (title) => `The homework ${quoted(title)} has opened`,
  due_tomorrow: (title) =>
    `The homework ${quoted(title)} is due within a day, and you have handed in nothing`,
  own_dates: (title) => withTitle('Your dates have changed', 'in', title),
  request_answered: (title) =>
    withTitle('Staff decided on your request for another date', 'in', title),
  marks_shown: (title) => withTitle('You can see your mark', 'of', title),
  mark_changed: (title) => withTitle('Your mark has changed', 'in', title),
  regrade_answered: (title) =>
    withTitle('Staff decided on your question about your mark', 'in', title),
  let_in: () => 'Staff let you in: you are now in the course',
  question: (title) => withTitle('New question', 'about', title),
  request: (title) => withTitle('New request for another date', 'in', title),
  regrade: (title) => withTitle('New question about a mark', 'in', title),
  join_request: () => 'People ask to join the course',
  judge_error: (title) => withTitle('A submission ended with a Judge Error', 'in', title),
  nobody_judges: () => 'Submissions wait, and no judge host takes them',
  webhook_off: () => 'The webhook of the course failed for a day and is switched off',
}

function toLine(origin: string, news: News) {
  const { kind, course, title } = news
  return { course, sentence: SENTENCES[kind](title), link: linkOf(origin, news) }
}

/** The subject: the only thing itself, else how many there are. */
function subjectOf(news: readonly News[], [only]: readonly { sentence: string }[]): string {
  const courses = [...new Set(news.map(({ course }) => course))]
  const [course = ''] = courses
  if (news.length === 1 && only) return `${nameOf(course)}: ${only.sentence}`
  const place = courses.length === 1 ? nameOf(course) : `${courses.length} courses`
  return `${news.length} new in ${place}`
}

/**
 * The mail with everything that is new, grouped by course.
 * @param origin the address of the web app
 * @param token ends these mails
 */
export function noticeLetter(
  origin: string,
  { to, token }: { to: string; token: string },
  news: readonly News[],
): Mail {
  const lines = news.slice(0, LINES).map((item) => toLine(origin, item))
  const courses = Map.groupBy(lines, ({ course }) => course)
  const more = news.length - lines.length
  const text = [
    ...[...courses].map(([course, items]) =>
      [nameOf(course), ...items.map(({ sentence, link }) => `- ${sentence}\n  ${link}`)].join('\n'),
    ),
    ...(more > 0 ? [`And ${more} more: ${origin}/notices`] : []),
    [
      'You get this mail because you are in these courses.',
      `Choose what you get: ${origin}/notices`,
      `Stop these mails: ${origin}/unsubscribe#token=${token}`,
    ].join('\n'),
  ].join('\n\n')
  return {
    to,
    subject: subjectOf(news, lines),
    text,
    headers: {
      'List-Unsubscribe': `<${origin}/api/notices/unsubscribe?token=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}
