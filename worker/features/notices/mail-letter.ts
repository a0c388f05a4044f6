/** The mail with what is new for a person. Names in it are anybody's text: each stands on one line and is cut. */
import type { Notice, NoticeKind } from '#contract/notices'
import type { Mail } from '../../lib/mail.ts'

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

/** What a kind says, and below the course the page it is about. */
const SENTENCES: Readonly<
  Record<NoticeKind, (title: string, id: string) => [sentence: string, page: string]>
> = {
  answer: (title, id) => [
    withTitle('New answer to your question', 'about', title),
    `question/${id}`,
  ],
  announcement: (title, id) => [`New announcement: ${quoted(title)}`, `announcements/${id}`],
  homework_opens: (title) => [`The homework ${quoted(title)} has opened`, 'homeworks'],
  due_tomorrow: (title) => [
    `The homework ${quoted(title)} is due within a day, and you have handed in nothing`,
    'homeworks',
  ],
  own_dates: (title) => [withTitle('Your dates have changed', 'in', title), 'homeworks'],
  request_answered: (title, id) => [
    withTitle('Staff decided on your request for another date', 'in', title),
    `question/${id}`,
  ],
  question: (title, id) => [withTitle('New question', 'about', title), `question/${id}`],
  request: (title, id) => [
    withTitle('New request for another date', 'in', title),
    `question/${id}`,
  ],
  join_request: () => ['Somebody asks to join the course', 'members'],
  judge_error: (title, id) => [
    withTitle('A submission ended with a Judge Error', 'in', title),
    `submission/${id}`,
  ],
  nobody_judges: () => ['Submissions wait, and no judge host takes them', 'submissions'],
  webhook_off: () => ['The webhook of the course failed for a day and is switched off', 'settings'],
}

function toLine(origin: string, { kind, course, title, subjectId }: News) {
  const [sentence, page] = SENTENCES[kind](title, subjectId ?? '')
  return { course, sentence, link: `${origin}/course/${encodeURIComponent(course)}/${page}` }
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
