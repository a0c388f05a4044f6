/** Notices: the bell, the list with its sentences and links, the settings, and the page that stops mails. */
import { createInstance } from 'i18next'
import { beforeEach, describe, expect, it, test } from 'vitest'
import type { LiveHint } from '#contract/live'
import { NOTICE_KINDS, type Notice, type NoticeKind } from '#contract/notices'
import { STATUS } from '#contract/verdicts'
import { noticeSettingsQuery, noticesQuery } from '../../web/features/notices/api.ts'
import { noticePath } from '../../web/features/notices/notice-path.ts'
import { NoticesPage } from '../../web/features/notices/notices-page.tsx'
import { toValues } from '../../web/features/notices/settings-form.tsx'
import { UnsubscribePage } from '../../web/features/notices/unsubscribe-page.tsx'
import { SideBar } from '../../web/layout/side-bar.tsx'
import { queryClient } from '../../web/lib/api/query-client.ts'
import { noticeCountQuery, refreshNotices } from '../../web/lib/queries/notices.ts'
import { chinese, english } from './fixtures/catalogues.ts'
import { okText, readWith, serveApi } from './fixtures/api-server.ts'
import { controlsOf, idOf, itemsOf, pages, render, textOf } from './fixtures/rendered.tsx'
import type { Scene } from './fixtures/rendered.tsx'

const api = serveApi()

const KINDS = Object.keys(NOTICE_KINDS) as NoticeKind[]
const SUBJECT = idOf(7)
const AT = Math.floor(Date.now() / 1_000) - 120

const notice = (kind: NoticeKind, id = 1, isNew = false): Notice => ({
  id,
  kind,
  course: 'A B',
  title: 'Sums',
  subjectId: SUBJECT,
  createTime: AT,
  isNew,
})

const SETTINGS = {
  kinds: { answer: 'now', announcement: 'daily' },
  courses: ['A', 'B'],
  mutedCourses: ['B', 'Left'],
  mails: true,
  address: 'ann@example.org',
} as const

const page = (items: Notice[], settings: object = {}, scene: Scene = {}) =>
  render(<NoticesPage />, {
    ...scene,
    route: '/notices',
    reads: [
      [noticesQuery, pages({ items })],
      [noticeSettingsQuery, { ...SETTINGS, ...settings }],
    ],
  })

describe('the bell', () => {
  const bell = (count: number, mini: boolean) =>
    controlsOf(
      render(<SideBar mini={mini} onToggleMini={() => {}} />, {
        reads: [[noticeCountQuery, { count }]],
      }),
    )

  it('says how many notices are new', () => {
    expect(bell(0, false)).toHaveProperty('Notices', '/notices')
    expect(bell(3, false)).toHaveProperty('Notices 3 3 new notices', '/notices')
    expect(bell(100, false)).toHaveProperty('Notices 99+ 100 new notices', '/notices')
    expect(bell(1, true)).toHaveProperty('Notices, 1 new notice', '/notices')
  })

  const hints: [boolean, LiveHint][] = [
    [true, { kind: 'notice' }],
    [true, { kind: 'announcement', course: 'A', annId: SUBJECT }],
    [true, { kind: 'question', questionId: SUBJECT, isAnswer: true }],
    [true, { kind: 'homework', homeworkId: SUBJECT }],
    [false, { kind: 'submission', submissionId: SUBJECT, progress: null }],
    [false, { kind: 'run', runId: SUBJECT }],
  ]

  beforeEach(() => queryClient.clear())

  it.each(hints)('is read again (%j) on the hint %j', (isRead, hint) => {
    queryClient.setQueryData(noticeCountQuery.queryKey, { count: 1 })
    refreshNotices(hint)
    expect(queryClient.getQueryState(noticeCountQuery.queryKey)?.isInvalidated).toBe(isRead)
  })
})

describe('the list', () => {
  const places: Record<NoticeKind, string> = {
    answer: `/course/A%20B/question/${SUBJECT}`,
    announcement: `/course/A%20B/announcements/${SUBJECT}`,
    homework_opens: `/course/A%20B/homeworks#homework-${SUBJECT}`,
    due_tomorrow: `/course/A%20B/homeworks#homework-${SUBJECT}`,
    own_dates: `/course/A%20B/homeworks#homework-${SUBJECT}`,
    request_answered: `/course/A%20B/question/${SUBJECT}`,
    question: `/course/A%20B/question/${SUBJECT}`,
    request: `/course/A%20B/question/${SUBJECT}`,
    join_request: '/course/A%20B/members',
    marks_shown: `/course/A%20B/marks#mark-${SUBJECT}`,
    mark_changed: `/course/A%20B/marks#mark-${SUBJECT}`,
    regrade_answered: `/course/A%20B/question/${SUBJECT}`,
    regrade: `/course/A%20B/question/${SUBJECT}`,
    let_in: '/course/A%20B',
    judge_error: `/course/A%20B/submission/${SUBJECT}`,
    nobody_judges: `/course/A%20B/submissions?status=${STATUS.PENDING}`,
    webhook_off: '/course/A%20B/settings',
  }

  it.each(Object.entries(places))('leads from %s to %s', (kind, place) => {
    expect(noticePath(notice(kind as NoticeKind))).toBe(place)
  })

  it.each([
    ['en', english],
    ['zh-TW', chinese],
  ] as const)('says in a sentence of its own what each kind is about (%s)', async (lng, texts) => {
    const i18n = createInstance()
    await i18n.init({
      lng,
      resources: { [lng]: { translation: texts } },
      interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
    })
    const says = KINDS.map((kind) =>
      i18n.t(`notices.says.${kind}`, { course: 'A B', title: 'Sums' }),
    )
    expect(new Set(says).size).toBe(KINDS.length)
    for (const sentence of says) expect(sentence).toMatch(/A B|Sums/)
  })

  it('marks in words what is new, with course and time', () => {
    const items = itemsOf(page([notice('announcement', 2, true), notice('answer', 1)]))
    expect(items).toEqual([
      expect.stringMatching(/^New announcement: Sums New A B \d min\. ago$/),
      expect.stringMatching(/^Your question about Sums has an answer\. A B \d min\. ago$/),
    ])
  })

  it('names the course of a total, which has no name', () => {
    const [item] = itemsOf(page([{ ...notice('mark_changed'), title: '' }]))
    expect(item).toMatch(/^Your mark in A B has changed\./)
  })

  it('says where nothing is new', () => {
    expect(textOf(page([]))).toContain('Nothing is new.')
  })

  it('is read from the last notice of the page before', async () => {
    api.answer = (response) => response.end(okText({ items: [] }))
    await readWith(noticesQuery, '31')
    expect(api.noted.map(({ call }) => call)).toEqual(['GET /notices?before=31'])
    const next = (length: number) =>
      noticesQuery.getNextPageParam(
        { items: Array.from({ length }, (_, at) => notice('answer', 60 - at)) },
        [],
        '',
        [],
      )
    expect([next(30), next(29)]).toEqual(['31', null])
  })
})

describe('the settings', () => {
  it('offer what the person can get, the courses, and say where mails go', () => {
    const markup = page([])
    const labels = [...markup.matchAll(/<label[^>]*>([^]*?)<\/label>/g)].map(([label]) =>
      textOf(label),
    )
    expect(labels).toEqual([
      'Send me mails Without mails, all notices appear in the app only.',
      'Answers to your questions',
      'Announcements',
      'A',
      'B',
    ])
    expect(textOf(markup)).toContain('Mails go to ann@example.org.')
  })

  it('say why no mail comes', () => {
    expect(textOf(page([], { address: null }))).toContain('This judge sends no mails.')
    const unconfirmed = page([], { address: null }, { user: { emailConfirmed: false } })
    expect(textOf(unconfirmed)).toContain('once you have confirmed your email address')
    expect(controlsOf(unconfirmed)).toHaveProperty('Profile', '/profile')
  })

  it('send no course that the person has left', () => {
    expect(toValues({ ...SETTINGS, courses: ['A', 'B'], mutedCourses: ['B', 'Left'] })).toEqual({
      kinds: SETTINGS.kinds,
      mutedCourses: ['B'],
      mails: true,
    })
  })
})

test('a link of a mail stops the mails with one press; a link without a token leads on', () => {
  const unsubscribe = (hash: string) =>
    controlsOf(
      render(<UnsubscribePage />, { route: '/unsubscribe', at: `/unsubscribe${hash}`, user: null }),
    )
  expect(unsubscribe('#token=abc')).toEqual({ 'Stop these mails': undefined })
  expect(unsubscribe('')).toEqual({ 'Choose what you hear of': '/notices#settings' })
})
