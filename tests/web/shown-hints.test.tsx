/** What students see of hints under a verdict, and the ways that lead staff to equal mistakes. */
import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { SubmissionDetail } from '#contract/submissions'
import { submissionQuery } from '../../web/lib/queries/submissions.ts'
import { hintAnswering } from '../../web/features/submissions/hint-answer.ts'
import { SubmissionPage } from '../../web/features/submissions/submission-page.tsx'
import { queryClient } from '../../web/lib/api/query-client.ts'
import { submissionQuestionsQuery } from '../../web/lib/queries/questions.ts'
import { okText, refusalText, serveApi } from './fixtures/api-server.ts'
import { controlsOf, COURSE, idOf, person, render, textOf } from './fixtures/rendered.tsx'
import type { Scene } from './fixtures/rendered.tsx'

const api = serveApi()

const MISTAKE = 'abcdefgh-_123456'

const DETAIL: SubmissionDetail = {
  submissionId: idOf(5),
  problemId: 7,
  problemName: 'Sum',
  course: COURSE.course,
  user: person('ann', 'Ann Lee'),
  status: 1,
  score: 0,
  runTime: 12,
  memoryUsage: 1_536,
  languageType: 2,
  timestamp: 86_400,
  tasks: [
    {
      status: 1,
      score: 0,
      runTime: 12,
      memoryUsage: 1_536,
      cases: [{ status: 1, runTime: 12, memoryUsage: 1_536 }],
    },
  ],
  code: 'print(0)',
  compileMessage: null,
  progress: null,
  judgements: [],
  sampleTasks: [],
  hasOutputs: false,
  taskScores: [100],
  tryNumber: 1,
  canRejudge: false,
  hints: [{ hintId: 3, markdown: 'Think of N = 0.', helped: null }],
  given: [],
}

const page = (change: Partial<SubmissionDetail> = {}, scene: Scene = {}) =>
  render(<SubmissionPage />, {
    route: '/course/:name/submission/:submissionId',
    at: `/course/A%20B/submission/${idOf(5)}`,
    ...scene,
    reads: [
      [submissionQuery(idOf(5)), { ...DETAIL, ...change }],
      [submissionQuestionsQuery(idOf(5)), []],
    ],
  })

// A page polls less often while it is hidden.
beforeAll(() => {
  vi.stubGlobal('document', { hidden: false })
})

describe('hints under a verdict', () => {
  // The question is loaded with the first hint that is shown.
  beforeAll(async () => {
    page()
    await vi.dynamicImportSettled()
  })
  afterEach(() => onlineManager.setOnline(true))

  const question = (markup: string) => /<fieldset[^]*?<\/fieldset>/.exec(markup)?.[0] ?? ''
  /** What each answer says of itself, and whether one can press it. */
  const answers = (markup: string) => ({
    pressed: [...question(markup).matchAll(/aria-pressed="(\w+)"/g)].map(([, pressed]) => pressed),
    canPress: !/^<fieldset[^>]* disabled/.test(question(markup)),
  })

  it('stand first, before facts, subtasks and code', () => {
    const text = textOf(page())
    expect(text).toMatch(
      /Wrong Answer .* A hint from your course Did this help\? Yes No Problem #7 Sum .* Subtask 0 .* Source code/,
    )
    const two = [...DETAIL.hints, { hintId: 4, markdown: 'Print it.', helped: false }]
    expect(textOf(page({ hints: two }))).toMatch(
      /Hints from your course Did this help\? Yes No Did this help\? Yes No Thank you\. .* Problem #7/,
    )
  })

  it('are not there before the verdict, nor without any', () => {
    for (const change of [{ status: -1 as const }, { hints: [] }])
      expect(textOf(page(change))).not.toMatch(/from your course|Did this help/)
  })

  it('that were there when the page opened are not announced', () => {
    expect(textOf(page())).not.toContain('stands under the verdict')
    expect(controlsOf(page())).not.toHaveProperty('Show the new hint')
  })

  it('ask the submitter, and show the answer', () => {
    const answered = (helped: boolean | null) =>
      page({ hints: [{ hintId: 3, markdown: 'Think of N = 0.', helped }] })
    expect(answers(answered(null))).toEqual({ pressed: ['false', 'false'], canPress: true })
    expect(textOf(answered(null))).not.toContain('Thank you')
    expect(answers(answered(true)).pressed).toEqual(['true', 'false'])
    expect(answers(answered(false)).pressed).toEqual(['false', 'true'])
    expect(textOf(answered(false))).toContain('Thank you. You can change your answer.')
  })

  it('ask nobody else', () => {
    const others = page({ user: person('bob') }, { course: { role: 'ta' } })
    expect(textOf(others)).toContain('A hint from your course')
    expect(textOf(others)).not.toContain('Did this help?')
  })

  it('take no answer in a closed course, nor without a connection', () => {
    expect(answers(page({}, { course: { closedAt: 1 } })).canPress).toBe(false)
    onlineManager.setOnline(false)
    expect(answers(page()).canPress).toBe(false)
  })
})

describe('an answer to a hint', () => {
  const { queryKey } = submissionQuery(idOf(5))
  const helpedOf = () => queryClient.getQueryData(queryKey)?.hints.map(({ helped }) => helped)
  const answer = (helped: boolean) =>
    new MutationObserver(queryClient, hintAnswering(idOf(5), 3)).mutate(helped)

  afterEach(() => queryClient.clear())

  it('is stored, and stands with its hint alone', async () => {
    const other = { hintId: 4, markdown: 'Print it.', helped: null }
    queryClient.setQueryData(queryKey, { ...DETAIL, hints: [...DETAIL.hints, other] })
    api.answer = (response) => response.end(okText(null))
    await answer(false)
    expect(api.noted).toMatchObject([
      { call: `PUT /submission/${idOf(5)}/hints/3`, body: { helped: false } },
    ])
    expect(helpedOf()).toEqual([false, null])
    await answer(true)
    expect(helpedOf()).toEqual([true, null])
  })

  it('that the API does not store leaves the old one', async () => {
    const hints = DETAIL.hints.map((hint) => ({ ...hint, helped: true }))
    queryClient.setQueryData(queryKey, { ...DETAIL, hints })
    api.answer = (response) => response.writeHead(404).end(refusalText('hint_not_found'))
    await expect(answer(false)).rejects.toMatchObject({ code: 'hint_not_found' })
    expect(helpedOf()).toEqual([true])
  })
})

describe('the way from a submission to everybody with its mistake', () => {
  const NAME = 'Who else made this mistake'
  const others = { user: person('bob'), mistake: MISTAKE }

  it('leads staff to the group of the problem', () => {
    expect(controlsOf(page(others, { course: { role: 'ta' } }))).toMatchObject({
      [NAME]: `/course/A%20B/problem/7/mistakes#${MISTAKE}`,
    })
  })

  it('is there only while the mistake is known, and never for students', () => {
    for (const mistake of [null, undefined])
      expect(
        controlsOf(page({ ...others, mistake }, { course: { role: 'ta' } })),
      ).not.toHaveProperty(NAME)
    expect(controlsOf(page({ mistake: MISTAKE }))).not.toHaveProperty(NAME)
  })
})
