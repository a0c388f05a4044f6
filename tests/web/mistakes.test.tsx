/** What staff see of people with the same mistake, and how hints for them are sent. */
import { describe, expect, it } from 'vitest'
import type { Hint, MistakeGroup, MistakePage } from '#contract/mistakes'
import type { Homework } from '#contract/homeworks'
import { ApiError } from '../../web/lib/api/api-error.ts'
import {
  commentToAll,
  mistakePeopleQuery,
  mistakesQuery,
  saveHint,
  secretOf,
} from '../../web/features/mistakes/api.ts'
import { excerptOf, printedOf } from '../../web/features/mistakes/groups.ts'
import { HomeworkMistakesPage } from '../../web/features/mistakes/homework-page.tsx'
import { ProblemMistakesPage } from '../../web/features/mistakes/problem-page.tsx'
import { homeworkQuery } from '../../web/lib/queries/homework-dates.ts'
import { problemQuery } from '../../web/lib/queries/problems.ts'
import { outputQuery, submissionQuery } from '../../web/lib/queries/submissions.ts'
import { okText, refusalText, serveApi } from './fixtures/api-server.ts'
import { datesAt, plainRules } from './fixtures/dates.ts'
import {
  controlsOf,
  COURSE,
  idOf,
  itemsOf,
  pages,
  person,
  render,
  textOf,
  type Scene,
} from './fixtures/rendered.tsx'

const A = 'A'.repeat(16)
const B = 'B'.repeat(16)
const C = 'C'.repeat(16)

const GROUP: MistakeGroup = {
  mistake: A,
  merged: [],
  status: 1,
  failed: { task: 2, case: 3 },
  end: null,
  compileError: null,
  people: 37,
  solved: 5,
  unsolved: 32,
  since: 1,
  examples: [idOf(5)],
}

const CRASHED: MistakeGroup = {
  ...GROUP,
  mistake: B,
  status: 5,
  failed: { task: 0, case: 0 },
  end: 'SIGSEGV',
  people: 1,
  solved: 0,
  unsolved: 1,
  examples: [idOf(6)],
}

const HINT: Hint = {
  hintId: 1,
  markdown: 'Look at the *last* line.',
  mistake: A,
  failed: null,
  author: person('tom', 'Tom Tutor'),
  updateTime: 1,
  isAside: false,
  helped: 12,
  notHelped: 3,
}

const PROBLEM = {
  problemId: 7,
  problemName: 'Sum',
  course: COURSE.course,
  compare: { mode: 'lines' },
}

const OUTPUT = {
  input: '1 2\n',
  inputSize: 4,
  stdout: '0\n',
  stdoutSize: 2,
  stderr: '',
  stderrSize: 0,
  expected: '3\n',
  expectedSize: 2,
}

const SUBMISSION = {
  submissionId: idOf(5),
  user: person('ann', 'Ann Lee'),
  languageType: 0,
  timestamp: 1,
  code: 'int main() {}\n',
  compileMessage: null,
}

const pageOf = (groups: MistakeGroup[], change: Partial<MistakePage> = {}): MistakePage => ({
  people: 84,
  groupCount: groups.length,
  groups,
  hints: [],
  next: null,
  ...change,
})

/** The page of the problem. @param hash the mistake of the link */
function shown(page: MistakePage, hash = '', scene: Scene = {}): string {
  return render(<ProblemMistakesPage />, {
    route: '/course/:name/problem/:problemId/mistakes',
    at: `/course/A%20B/problem/7/mistakes${hash && `#${hash}`}`,
    course: { role: 'ta' },
    ...scene,
    reads: [
      [problemQuery(7), PROBLEM],
      [mistakesQuery(7), pages(page)],
      [outputQuery(idOf(5), null, 2, 3), OUTPUT],
      [submissionQuery(idOf(5)), SUBMISSION],
      [
        mistakePeopleQuery(7, A),
        {
          tries: [
            { user: person('ann', 'Ann Lee'), submissionId: idOf(5), isSolved: false },
            { user: person('bob'), submissionId: idOf(8), isSolved: true },
          ],
        },
      ],
    ],
  })
}

describe('the list of groups', () => {
  it('says for each group how many people, where, how it ended and what was printed', () => {
    const markup = shown(pageOf([GROUP, CRASHED]))
    expect(textOf(markup)).toContain('84 people with failing tries, 2 groups')
    const [first = '', second = ''] = itemsOf(markup).slice(-2)
    expect(first).toMatch(
      /^37 people Wrong Answer Subtask 2, case 3 printed 0 Since .* 5 solved it since/,
    )
    // Its output is read once the row comes into sight.
    expect(second).toMatch(
      /^1 person Runtime Error SIGSEGV Subtask 0, case 0 … Since .* 0 solved it since/,
    )
  })

  it('shows the first error of a program that does not compile', () => {
    const compileError = "error: expected ';'"
    const [row] = itemsOf(
      shown(pageOf([{ ...GROUP, status: 2, failed: null, compileError }])),
    ).slice(-1)
    expect(row).toMatch(/^37 people Compile Error error: expected ';' Since /)
    expect(row).not.toContain('Subtask')
  })

  it('shows a hint at every group whose people see it', () => {
    const hints = [
      HINT,
      { ...HINT, hintId: 2, mistake: null, failed: { task: 2, case: 3 }, markdown: 'At the case' },
      { ...HINT, hintId: 3, mistake: C, markdown: 'Merged', isAside: true },
    ]
    const [first, second] = itemsOf(
      shown(pageOf([{ ...GROUP, merged: [C] }, CRASHED], { hints })),
    ).slice(-2)
    expect(first).toContain('Hint: Look at the *last* line.')
    expect(first).toContain('Hint: At the case')
    expect(first).toContain('Hint, set aside: Merged')
    expect(first).toContain('2 mistakes count as one')
    expect(second).not.toContain('Hint')
  })

  it('lists the hints that belong to no group', () => {
    const markup = shown(pageOf([CRASHED], { hints: [HINT] }))
    expect(textOf(markup)).toContain('Other hints')
    expect(textOf(markup)).toContain('Did it help? yes: 12, no: 3')
    expect(textOf(shown(pageOf([GROUP], { hints: [HINT] })))).not.toContain('Other hints')
  })

  it('says that nobody failed', () => {
    expect(textOf(shown(pageOf([])))).toContain('There are no failing tries to group yet.')
  })

  it('offers more groups while there are more', () => {
    expect(controlsOf(shown(pageOf([GROUP], { next: 'x' })))).toHaveProperty('Load more')
    expect(controlsOf(shown(pageOf([GROUP])))).not.toHaveProperty('Load more')
  })
})

describe('a group', () => {
  it('is open if the link names its mistake, or one that counts to it', () => {
    for (const hash of [A, C]) {
      const text = textOf(shown(pageOf([{ ...GROUP, merged: [C] }, CRASHED]), hash))
      expect(text).toContain('Input (4 B) 1 2')
      expect(text).not.toContain('newer failing tries')
    }
    expect(textOf(shown(pageOf([GROUP])))).not.toContain('Input')
    expect(textOf(shown(pageOf([GROUP]), B))).toContain('Its people may have newer failing tries.')
  })

  it('shows the case, the programs and the people', () => {
    const markup = shown(pageOf([GROUP]), A)
    const text = textOf(markup)
    expect(text).toContain('Expected output (2 B) 3')
    expect(text).toContain('Output of the program (2 B) 0')
    expect(text).toContain('Source code 1 int main() {}')
    expect(
      itemsOf(markup)
        .slice(-2)
        .map((item) => item.trim()),
    ).toEqual([expect.stringMatching(/Ann Lee ann$/), 'bob solved'])
    expect(controlsOf(markup)).toMatchObject({
      'Ann Lee ann': `/course/A%20B/submission/${idOf(5)}`,
      bob: `/course/A%20B/submission/${idOf(8)}`,
    })
  })

  it('can be answered, and separated if mistakes were merged', () => {
    const alone = controlsOf(shown(pageOf([GROUP, CRASHED]), A))
    expect(alone).toHaveProperty('Write a hint')
    expect(alone).toHaveProperty('Comment to all')
    expect(alone).toHaveProperty('The same mistake as …')
    expect(alone).not.toHaveProperty('Separate again')
    expect(controlsOf(shown(pageOf([{ ...GROUP, merged: [C] }]), A))).toHaveProperty(
      'Separate again',
    )
  })

  it('shows a hint that was set aside with the way to show it again', () => {
    const aside = shown(pageOf([GROUP], { hints: [{ ...HINT, isAside: true }] }), A)
    expect(textOf(aside)).toContain('Students do not see this hint')
    expect(controlsOf(aside)).toHaveProperty('Show again')
    const seen = shown(pageOf([GROUP], { hints: [HINT] }), A)
    expect(textOf(seen)).not.toContain('Students do not see this hint')
    expect(controlsOf(seen)).toHaveProperty('Edit')
  })
})

describe('the page of a homework', () => {
  const HOMEWORK: Homework = {
    id: idOf(1),
    name: 'Loops',
    course: COURSE.course,
    start: 1,
    end: 2,
    ...plainRules([7, 8]),
    own: datesAt(1, 2),
    markdown: '',
    problemIds: [7, 8],
    problems: [
      { problemId: 7, problemName: 'Sum' },
      { problemId: 8, problemName: 'Tree' },
    ],
    scoreboardStatus: 1,
    scoreboardNames: false,
    status: 'running',
    studentStatus: new Map(),
    marks: new Map(),
  }
  const page = (homework: Homework) =>
    render(<HomeworkMistakesPage />, {
      route: '/course/:name/homeworks/:homeworkId/mistakes',
      at: `/course/A%20B/homeworks/${idOf(1)}/mistakes`,
      course: { role: 'ta' },
      reads: [
        [homeworkQuery(idOf(1)), homework],
        [mistakesQuery(7), pages(pageOf([GROUP]))],
        [mistakesQuery(8), pages(pageOf([CRASHED]))],
      ],
    })

  it('shows the groups of the first problem, and those of others once they are opened', () => {
    const text = textOf(page(HOMEWORK))
    expect(text).toContain('Same mistakes in Loops')
    expect(text).toContain('Subtask 2, case 3')
    expect(text).toContain('Tree')
    expect(text).not.toContain('SIGSEGV')
    expect(controlsOf(page(HOMEWORK))).toMatchObject({
      'Show this problem alone': '/course/A%20B/problem/7/mistakes',
    })
  })

  it('says that there are no problems', () => {
    expect(textOf(page({ ...HOMEWORK, problemIds: [], problems: [] }))).toContain('no problems yet')
  })
})

describe('what was printed', () => {
  it('is one line, cut between characters', () => {
    expect(excerptOf(' 1\r\n\n  2 ')).toBe('1 ⏎ 2')
    expect(excerptOf('x'.repeat(60))).toBe('x'.repeat(60))
    expect(excerptOf('字'.repeat(61))).toBe(`${'字'.repeat(60)}…`)
    expect(excerptOf('😀'.repeat(61))).toBe(`${'😀'.repeat(60)}…`)
    expect(excerptOf('a\u0007b')).toBe('a␇b')
  })

  it('may be nothing, or only blanks', () => {
    expect(printedOf({ stdout: '', stdoutSize: 0 })).toEqual({ kind: 'nothing' })
    expect(printedOf({ stdout: ' \n', stdoutSize: 2 })).toEqual({ kind: 'blanks' })
    expect(printedOf({ stdout: '0\n', stdoutSize: 2 })).toEqual({ kind: 'text', text: '0' })
  })
})

describe('calls about mistakes', () => {
  const api = serveApi()
  const noted = () => api.noted.map(({ call, body }) => [call, body])

  it.each(['input', 'output', 'unknown'])(
    'ask before a hint names a secret (%s), and store it all the same after yes',
    async (secret) => {
      api.answer = (response) =>
        api.noted.length === 1
          ? response.writeHead(409).end(refusalText('hint_names_secret', { what: secret }))
          : response.end(okText({ hintId: 4 }))
      const asked: string[] = []
      await saveHint(7, { mistake: A }, 'It is 5', async (what) => {
        asked.push(what)
        return true
      })
      expect(asked).toEqual([secret])
      expect(noted()).toEqual([
        ['POST /problem/7/hints', { mistake: A, markdown: 'It is 5', mayNameSecret: false }],
        ['POST /problem/7/hints', { mistake: A, markdown: 'It is 5', mayNameSecret: true }],
      ])
    },
  )

  it('store nothing after no', async () => {
    api.answer = (response) =>
      response.writeHead(409).end(refusalText('hint_names_secret', { what: 'output' }))
    const error = await saveHint(7, { hintId: 4 }, 'It is 5', async () => false).catch(
      (thrown: unknown) => thrown,
    )
    expect(secretOf(error)).toBe('output')
    expect(noted()).toEqual([
      ['PUT /problem/7/hints/4', { markdown: 'It is 5', mayNameSecret: false }],
    ])
  })

  it('ask about nothing else', async () => {
    api.answer = (response) => response.writeHead(409).end(refusalText('too_many_hints'))
    const saving = saveHint(7, { failed: { task: 2, case: 3 } }, 'x', () => {
      throw new Error('asked')
    })
    await expect(saving).rejects.toThrow(ApiError)
    await expect(saving).rejects.toMatchObject({ code: 'too_many_hints' })
    expect(secretOf(new ApiError({ status: 409, code: 'too_many_hints', message: '' }))).toBeNull()
  })

  it('say how many people got a comment, with a key against a second one', async () => {
    api.answer = (response) => response.end(okText({ people: 32 }))
    expect(await commentToAll(7, A, 'Hello', 'key')).toBe(32)
    expect(noted()).toEqual([[`POST /problem/7/mistakes/${A}/questions`, { markdown: 'Hello' }]])
    expect(api.noted[0]?.headers['idempotency-key']).toBe('key')
  })
})
