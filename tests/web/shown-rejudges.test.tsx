/** What staff see of a rejudge before, during and after it. */
import { describe, expect, it } from 'vitest'
import type { RejudgeProgress, RejudgeResult } from '#contract/judging/rejudges'
import type { OperationStatus } from '#contract/operations'
import type { Problem } from '#contract/problems'
import { RejudgeChanges } from '../../web/components/judging/rejudge-changes.tsx'
import { RejudgePanel } from '../../web/components/judging/rejudge-panel.tsx'
import { ProblemRejudge } from '../../web/features/problems/problem-rejudge.tsx'
import { formatTime } from '../../web/lib/format/format.ts'
import { operationQuery } from '../../web/lib/queries/operations.ts'
import { problemRejudgeQuery, rejudgeChangesQuery } from '../../web/lib/queries/rejudges.ts'
import { controlsOf, idOf, pages, person, render, rowsOf, textOf } from './fixtures/rendered.tsx'

const DAY = 86_400

describe('a rejudge', () => {
  const shown = (status: Partial<OperationStatus>) => {
    const data = { state: 'running', done: 5, total: 20, ...status }
    const markup = render(<RejudgePanel path="/x" />, {
      reads: [
        [{ queryKey: ['known-operation', 'job:ann:/x'] }, idOf(1)],
        [operationQuery(idOf(1)), data],
      ],
    })
    return [textOf(markup), Object.keys(controlsOf(markup))] as const
  }
  const byItself =
    'Students see the earlier results until all submissions are judged. You may leave this page.'
  const byHand = `Students see the new results only after you apply them. The rejudge is cancelled at ${formatTime(DAY)} unless you have applied it.`
  const lost = '3 submissions cannot be judged again: their code is lost from the storage.'
  const cancel = 'Cancel rejudging'

  it.each<[Partial<RejudgeProgress> & Pick<RejudgeProgress, 'phase'>, string, string[]]>([
    [{ phase: 'judging' }, `Judging again: 5 of 20 ${cancel} ${byItself}`, [cancel]],
    [{ phase: 'judging', expiresAt: DAY }, `Judging again: 5 of 20 ${cancel} ${byHand}`, [cancel]],
    [{ phase: 'applying' }, 'Applying: 5 of 20', []],
    [
      { phase: 'outdated', expiresAt: DAY },
      `These results cannot be applied, because the problem has changed since. ${cancel}`,
      [cancel],
    ],
    [
      { phase: 'ready', expiresAt: DAY, changedCount: 0, keptCount: 0 },
      `No result would change. Apply ${cancel} ${byHand}`,
      ['Apply', cancel],
    ],
    [
      { phase: 'ready', expiresAt: DAY, changedCount: 2, keptCount: 1, lostCount: 3 },
      `2 of 20 results would change. 1 submission keeps its earlier result, because rejudging it ended in a Judge Error. ${lost} Show who changes Apply ${cancel} ${byHand}`,
      ['Show who changes', 'Apply', cancel],
    ],
    [
      { phase: 'ready', expiresAt: DAY, changedCount: 0, keptCount: 2 },
      `No result would change. 2 submissions keep their earlier results, because rejudging them ended in a Judge Error. Show who changes Apply ${cancel} ${byHand}`,
      ['Show who changes', 'Apply', cancel],
    ],
  ])('says how it stands and what can be done: %j', (progress, text, controls) => {
    const none = { expiresAt: null, changedCount: null, keptCount: null, lostCount: 0 }
    expect(shown({ rejudge: { ...none, ...progress } })).toEqual([text, controls])
  })

  it.each<[RejudgeResult, string]>([
    [
      { count: 20, changedCount: 1, keptCount: 0, lostCount: 0 },
      '20 submissions were judged again. 1 result changed.',
    ],
    [
      { count: 1, changedCount: 0, keptCount: 1, lostCount: 3 },
      `1 submission was judged again. No result changed. 1 submission keeps its earlier result, because rejudging it ended in a Judge Error. ${lost}`,
    ],
    [
      { count: 0, changedCount: 0, keptCount: 0, lostCount: 0 },
      'No submission matched, so nothing is judged again.',
    ],
    [{ count: 0, changedCount: 0, keptCount: 0, lostCount: 3 }, lost],
    [{ cancelled: true }, 'Cancelled. Every submission keeps its result.'],
  ])('says what it has come to: %j', (result, text) => {
    expect(shown({ state: 'done', result })).toEqual([`${text} Dismiss`, ['Dismiss']])
  })

  it('says that it has failed', () => {
    const text =
      'Rejudging stopped: the problem has changed since, or judging failed. Submissions whose new result is not applied keep the earlier one. Dismiss'
    expect(shown({ state: 'failed', error: 'The problem has changed.' })).toEqual([
      text,
      ['Dismiss'],
    ])
  })

  it('names who would get what', () => {
    const change = (username: string, number: number, to: object) => ({
      submissionId: idOf(number),
      problemId: 7,
      user: person(username, username.toUpperCase()),
      from: { status: 1, score: 1 },
      to,
    })
    const items = [
      change('ann', 1, { status: 0, score: 100 }),
      change('bob', 2, { status: 6, score: 0 }),
    ]
    const changesOf = (of: object[]) =>
      render(<RejudgeChanges operationId={idOf(9)} />, {
        reads: [[rejudgeChangesQuery(idOf(9)), pages({ items: of, next: null })]],
      })
    const markup = changesOf(items)
    expect(rowsOf(markup)).toEqual([
      'User Now Judged again',
      'ANN Wrong Answer 1 point Accepted 100 points',
      'BOB Wrong Answer 1 point Judge Error keeps its result',
    ])
    expect(controlsOf(markup)).toEqual({
      ANN: `/course/A%20B/submission/${idOf(1)}`,
      BOB: `/course/A%20B/submission/${idOf(2)}`,
    })
    // A rejudge of several problems names each.
    const [first, second] = items
    expect(rowsOf(changesOf([{ ...first, problemId: 8 }, { ...second }])).slice(1)).toEqual([
      'ANN · #8 Wrong Answer 1 point Accepted 100 points',
      'BOB · #7 Wrong Answer 1 point Judge Error keeps its result',
    ])
  })
})

describe('results of earlier test data', () => {
  const banner = (earlierCount: number | null, hasTestData = true, jobId: string | null = null) => {
    const problem = { problemId: 7, hasTestData } as Problem
    const rejudge = { phase: 'judging', expiresAt: null, lostCount: 0 }
    const markup = render(<ProblemRejudge problem={problem} />, {
      reads: [
        [problemRejudgeQuery(7), { earlierCount, jobId }],
        [operationQuery(idOf(1)), { state: 'running', done: 0, total: 2, rejudge }],
      ],
    })
    return [textOf(markup), Object.keys(controlsOf(markup))] as const
  }
  const help = 'Judge again Students see the new results only after you apply them.'

  it.each<[number | null, string, string[]]>([
    [0, '', []],
    [null, '', []],
    [
      1,
      `1 submission was judged with earlier test data, limits or scores. ${help}`,
      ['Judge again'],
    ],
    [
      999,
      `999 submissions were judged with earlier test data, limits or scores. ${help}`,
      ['Judge again'],
    ],
    [
      1_000,
      `At least 1000 submissions were judged with earlier test data, limits or scores. ${help}`,
      ['Judge again'],
    ],
  ])('are counted, and can be judged again: %s', (count, text, controls) => {
    expect(banner(count)).toEqual([text, controls])
  })

  it('are judged again only where there are test data', () => {
    expect(banner(2, false)).toEqual([
      '2 submissions were judged with earlier test data, limits or scores. These submissions can be judged again once the problem has test data that fit its subtasks.',
      [],
    ])
  })

  it('give way to the rejudge that a colleague has begun', () => {
    expect(banner(null, true, idOf(1))[0]).toMatch(/^Judging again: 0 of 2 /)
  })
})
