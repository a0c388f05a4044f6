/** What staff see of results that are judged again, before and while it happens. */
import { describe, expect, it } from 'vitest'
import type { RejudgePreview } from '#contract/judging/rejudge-previews'
import type { OperationStatus } from '#contract/operations'
import type { Problem } from '#contract/problems'
import { RejudgeProgress } from '../../web/components/judging/rejudge-progress.tsx'
import { previewChangesQuery, previewQuery } from '../../web/features/problems/api.ts'
import { PreviewChanges } from '../../web/features/problems/rejudge/preview-changes.tsx'
import { RejudgePreviewBanner } from '../../web/features/problems/rejudge/rejudge-preview.tsx'
import { formatTime } from '../../web/lib/format/format.ts'
import { operationQuery } from '../../web/lib/queries/operations.ts'
import { controlsOf, idOf, pages, person, render, rowsOf, textOf } from './fixtures/rendered.tsx'

const DAY = 86_400

describe('the preview of a rejudge', () => {
  type State = NonNullable<RejudgePreview['preview']>
  const open = {
    startedAt: 1,
    expiresAt: DAY,
    total: 20,
    done: 5,
    changedCount: null,
    keptCount: null,
  }
  const until = `Students see nothing of it until you apply it. It is dropped at ${formatTime(DAY)} unless you have applied it.`
  const banner = (read: Partial<RejudgePreview>, hasTestData = true) => {
    const data = { earlierCount: null, preview: null, ...read }
    const problem = { problemId: 7, hasTestData } as Problem
    const markup = render(<RejudgePreviewBanner problem={problem} />, {
      reads: [[previewQuery(7), data]],
    })
    return [textOf(markup), Object.keys(controlsOf(markup))] as const
  }

  it.each<[string, Partial<RejudgePreview>, string, string[]]>([
    ['nothing to judge again', { earlierCount: 0 }, '', []],
    [
      'one result',
      { earlierCount: 1 },
      '1 submission was judged with earlier test data, limits or scores. Judge again Students see nothing of it until you apply it.',
      ['Judge again'],
    ],
    ['many results', { earlierCount: 999 }, '999 submissions were judged', ['Judge again']],
    [
      'more than are counted',
      { earlierCount: 1_000 },
      'At least 1000 submissions were judged',
      ['Judge again'],
    ],
  ])('offers itself for %s', (_, read, text, controls) => {
    const [shown, buttons] = banner(read)
    expect(shown.startsWith(text)).toBe(true)
    expect(buttons).toEqual(controls)
    if (text === '') expect(shown).toBe('')
  })

  it.each<[Partial<State> & Pick<State, 'state'>, string, string[]]>([
    [{ state: 'judging' }, `Judging again: 5 of 20 Drop ${until}`, ['Drop']],
    [{ state: 'applying' }, 'Applying: 5 of 20', []],
    [
      { state: 'outdated' },
      'This preview cannot be applied: the problem has changed again since, or judging failed. Judge again Drop Students see nothing of it until you apply it.',
      ['Judge again', 'Drop'],
    ],
    [
      { state: 'ready', changedCount: 0, keptCount: 0 },
      `No result would change. Apply Drop ${until}`,
      ['Apply', 'Drop'],
    ],
    [
      { state: 'ready', changedCount: 2, keptCount: 1, lostCount: 3 },
      `2 of 20 results would change. 1 ended in a Judge Error and keeps its result. 3 submissions cannot be judged again: their code is lost from the storage. Show who changes Apply Drop ${until}`,
      ['Show who changes', 'Apply', 'Drop'],
    ],
    [
      { state: 'ready', changedCount: 0, keptCount: 2 },
      `No result would change. 2 ended in a Judge Error and keep their results. Show who changes Apply Drop ${until}`,
      ['Show who changes', 'Apply', 'Drop'],
    ],
  ])('says how it stands and what can be done: %j', (state, text, controls) => {
    expect(banner({ preview: { ...open, ...state } })).toEqual([text, controls])
  })

  it('begins only where there are test data', () => {
    expect(banner({ earlierCount: 2 }, false)).toEqual([
      '2 submissions were judged with earlier test data, limits or scores. They can be judged again once the problem has test data that fit its subtasks.',
      [],
    ])
  })

  it('names who would get what', () => {
    const change = (username: string, number: number, to: object) => ({
      submissionId: idOf(number),
      user: person(username, username.toUpperCase()),
      from: { status: 1, score: 1 },
      to,
    })
    const items = [
      change('ann', 1, { status: 0, score: 100 }),
      change('bob', 2, { status: 6, score: 0 }),
    ]
    const markup = render(<PreviewChanges problemId={7} />, {
      reads: [[previewChangesQuery(7), pages({ items, next: null })]],
    })
    expect(rowsOf(markup)).toEqual([
      'User Now Judged again',
      'ANN Wrong Answer 1 point Accepted 100 points',
      'BOB Wrong Answer 1 point Judge Error keeps its result',
    ])
    expect(controlsOf(markup)).toEqual({
      ANN: `/course/A%20B/submission/${idOf(1)}`,
      BOB: `/course/A%20B/submission/${idOf(2)}`,
    })
  })
})

describe('the progress of a rejudge', () => {
  const shown = (status: Partial<OperationStatus>) => {
    const data = { state: 'done', done: 5, total: 20, ...status }
    const markup = render(<RejudgeProgress path="/x" waitingAt="/waiting" />, {
      reads: [
        [{ queryKey: ['known-operation', 'job:ann:/x'] }, idOf(1)],
        [operationQuery(idOf(1)), data],
      ],
    })
    return [textOf(markup), controlsOf(markup)] as const
  }
  const see = { 'See those that wait': '/waiting' }
  const dismiss = { Dismiss: undefined }
  const cancel = { 'Cancel rejudging': undefined }

  it.each<[Partial<OperationStatus>, string, object]>([
    [
      { state: 'running' },
      'Queued for judging: 5 of 20 Cancel rejudging You may leave this page; it goes on.',
      cancel,
    ],
    [
      { state: 'running', cancelled: true },
      'Cancelling: what no judge host has begun is taken back. You may leave this page; it goes on.',
      {},
    ],
    [
      { waiting: 1 },
      '5 submissions were queued for judging again. Cancel rejudging See those that wait Dismiss',
      { ...cancel, ...see, ...dismiss },
    ],
    [
      { waiting: 0, done: 1 },
      '1 submission was queued for judging again. See those that wait Dismiss',
      { ...see, ...dismiss },
    ],
    [{ done: 0 }, 'No submission matched, so nothing is judged again. Dismiss', dismiss],
    [
      { done: 0, lostCount: 1 },
      '1 submission cannot be judged again: its code is lost from the storage. Dismiss',
      dismiss,
    ],
    [
      { state: 'failed', lostCount: 2 },
      'Rejudging stopped after 5 of 20. 2 submissions cannot be judged again: their code is lost from the storage. See those that wait Dismiss',
      { ...see, ...dismiss },
    ],
    [
      { cancelled: true, waiting: 3, result: { count: 5, takenBack: 2 } },
      'Cancelled. 2 submissions keep their earlier verdict. See those that wait Dismiss',
      { ...see, ...dismiss },
    ],
  ])('says how it stands and what can be done: %j', (status, text, controls) => {
    expect(shown(status)).toEqual([text, controls])
  })
})
