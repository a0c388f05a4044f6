/** The gradebook's grid: its keys, what is typed and pasted, what can be undone, and what staff see. */
import { describe, expect, it } from 'vitest'
import type {
  GradebookCell,
  GradebookColumn,
  GradebookColumns,
  GradebookMark,
  GradebookPage as People,
} from '#contract/gradebook'
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { GradebookPage } from '../../web/features/gradebook/gradebook-page.tsx'
import { peopleQuery } from '../../web/features/gradebook/api.ts'
import { BlockForm } from '../../web/features/gradebook/block-form.tsx'
import {
  blockText,
  cellText,
  parseBlock,
  parseCell,
} from '../../web/features/gradebook/cell-text.ts'
import {
  cellAfter,
  editsOfBlock,
  isComputedLater,
  reasonBefore,
  recorded,
  settingOf,
  withCells,
  type GridColumn,
} from '../../web/features/gradebook/edits.ts'
import { afterEdit, commandOf } from '../../web/features/gradebook/grid-moves.ts'
import { LoadedMark } from '../../web/features/gradebook/mark-panel.tsx'
import { ShowForm } from '../../web/features/gradebook/show-form.tsx'
import { hasText } from '../../web/features/gradebook/use-people.ts'
import { columnsQuery } from '../../web/lib/queries/marks.ts'
import { columnWith, markWith, SECOND_TRY } from './fixtures/marks.ts'
import {
  controlsOf,
  COURSE,
  idOf,
  pages,
  person,
  render,
  rowsOf,
  textOf,
} from './fixtures/rendered.tsx'

const column = (id: number, change: Partial<GradebookColumn> = {}): GridColumn => ({
  ...columnWith(id, change),
  cellIndex: id - 1,
})
const COLUMNS = [
  column(1, { name: 'Loops' }),
  column(2, { name: 'Oral exam', kind: 'manual', homeworkId: null, max: 20, shown: 'no' }),
  column(3, { name: '', kind: 'total', homeworkId: null, max: 120, shown: 'no' }),
]
const row = (username: string, cells: GradebookCell[], displayedName = '') => ({
  user: person(username, displayedName),
  labels: [],
  cells,
})
const ANN = row(
  'ann',
  [
    [80, ''],
    [12.5, 'h'],
    [92.5, ''],
  ],
  'Ann Lee',
)
const BOB = row('bob', [
  [null, 'es'],
  [25, 'q'],
  [25, ''],
])
const PARTS = { people: [ANN, BOB], columns: COLUMNS }
const at = (row: number, column: number) => ({ row, column })
const only = (row: number, column: number) => ({ from: at(row, column), to: at(row, column) })

describe('the keys', () => {
  const size = { rows: 100, columns: 4, pageRows: 20 }
  const pressed = (key: string, from = at(5, 2)) => {
    const parts = key.split('+')
    const has = (name: string) => parts.includes(name)
    return commandOf(
      {
        key: parts.at(-1) ?? '',
        ctrlKey: has('Ctrl'),
        metaKey: has('Meta'),
        shiftKey: has('Shift'),
        altKey: has('Alt'),
      },
      from,
      size,
    )
  }

  it.each([
    ['ArrowUp', at(4, 2)],
    ['ArrowRight', at(5, 3)],
    ['Home', at(5, 0)],
    ['End', at(5, 3)],
    ['Ctrl+Home', at(0, 0)],
    ['Meta+End', at(99, 3)],
    ['PageDown', at(25, 2)],
    ['PageUp', at(0, 2)],
  ])('%s moves', (key, to) => {
    expect(pressed(key)).toEqual({ kind: 'move', to, isExtending: false })
  })

  it('stay in the grid, whose head is above the first row', () => {
    const to = (key: string, from: ReturnType<typeof at>) => pressed(key, from)
    expect(to('ArrowUp', at(0, 2))).toMatchObject({ to: at(-1, 2) })
    expect(to('ArrowUp', at(-1, 2))).toMatchObject({ to: at(-1, 2) })
    expect(to('ArrowDown', at(99, 2))).toMatchObject({ to: at(99, 2) })
    expect(to('ArrowLeft', at(5, 0))).toMatchObject({ to: at(5, 0) })
    expect(to('PageDown', at(95, 3))).toMatchObject({ to: at(99, 3) })
  })

  it('select, edit, clear, explain, undo, and leave the rest to the browser', () => {
    expect(pressed('Shift+ArrowDown')).toMatchObject({ to: at(6, 2), isExtending: true })
    expect(pressed('F2')).toEqual({ kind: 'edit', text: null })
    expect(pressed('7')).toEqual({ kind: 'edit', text: '7' })
    for (const key of [' ', 'Alt+Enter']) expect(pressed(key)).toEqual({ kind: 'open' })
    expect(pressed('Delete')).toEqual({ kind: 'clear' })
    expect(pressed('Ctrl+z')).toEqual({ kind: 'undo' })
    for (const key of ['Ctrl+Shift+Z', 'Ctrl+y']) expect(pressed(key)).toEqual({ kind: 'redo' })
    expect(pressed('Escape')).toEqual({ kind: 'close' })
    for (const key of ['Tab', 'Ctrl+c', 'Shift']) expect(pressed(key)).toBeNull()
  })

  it('move on after an edit as in a spreadsheet', () => {
    const after = (key: string, shiftKey = false) => afterEdit({ key, shiftKey }, at(5, 1), size)
    expect(after('Enter')).toEqual(at(6, 1))
    expect(after('Enter', true)).toEqual(at(4, 1))
    expect(after('Tab')).toEqual(at(5, 2))
    expect(after('Tab', true)).toEqual(at(5, 1))
    expect(after('Escape')).toBeNull()
  })
})

describe('a typed mark', () => {
  it.each([
    ['8.5', 8.5],
    [' 8,25 ', 8.25],
    ['.5', 0.5],
    ['7.', 7],
    ['100000', 100_000],
    ['-0', 0],
  ])('%j is points', (typed, points) => {
    expect(parseCell(typed)).toEqual({ points, excused: false })
  })

  it('can excuse and clear', () => {
    expect(parseCell('ex')).toEqual({ points: null, excused: true })
    expect(parseCell('  ')).toEqual({ points: null, excused: false })
  })

  it.each([
    ['eight', 'number'],
    ['1,000.5', 'number'],
    ['1e3', 'number'],
    ['8.125', 'decimals'],
    ['1,000', 'decimals'],
    ['−1', 'negative'],
    ['100000.5', 'tooMuch'],
  ])('%j is refused', (typed, fault) => {
    expect(parseCell(typed)).toBe(fault)
  })

  it('looks as it is typed', () => {
    for (const text of ['8.5', '0', '', 'EX']) {
      const setting = parseCell(text)
      if (typeof setting === 'string') throw new Error(setting)
      expect(cellText(cellAfter([3, 'h'], { kind: 'homework' }, setting))).toBe(text)
    }
  })
})

describe('a block', () => {
  it('is read as spreadsheets copy it', () => {
    expect(parseBlock('1\t2\r\n\t4\r\n')).toEqual([
      ['1', '2'],
      ['', '4'],
    ])
    expect(parseBlock('"a\tb ""c"""\t2\n3\t')).toEqual([
      ['a\tb "c"', '2'],
      ['3', ''],
    ])
    expect(parseBlock('\r\n')).toEqual([['']])
    const block = [
      ['1', ''],
      ['EX', '2.5'],
    ]
    expect(parseBlock(blockText(block))).toEqual(block)
  })

  it('changes the cells from the corner on, without those that stay as they are', () => {
    const block = [
      ['90', '12.5', '5'],
      ['', 'EX', '5'],
      ['1', '2', '3'],
    ]
    expect(editsOfBlock(block, PARTS, only(0, 1))).toEqual({
      edits: [
        { username: 'ann', columnId: 1, points: 90, excused: false },
        { username: 'bob', columnId: 1, points: null, excused: false },
        { username: 'bob', columnId: 2, points: null, excused: true },
      ],
      same: [{ username: 'ann', columnId: 2 }],
      faults: [],
      // The totals, and a row below the last person.
      leftOut: 5,
    })
  })

  it('leaves a computed mark computed that is typed as it is', () => {
    const { edits, same } = editsOfBlock([['80']], PARTS, only(0, 1))
    expect([edits, same]).toEqual([[], [{ username: 'ann', columnId: 1 }]])
    expect(editsOfBlock([['80.5']], PARTS, only(0, 1)).edits).toHaveLength(1)
  })

  it('of one cell fills the selection', () => {
    const { edits } = editsOfBlock([['7']], PARTS, { from: at(1, 2), to: at(0, 2) })
    expect(edits.map(({ username, points }) => [username, points])).toEqual([
      ['ann', 7],
      ['bob', 7],
    ])
  })

  it('names what is no mark', () => {
    const { faults } = editsOfBlock([['90', 'good']], PARTS, only(0, 1))
    expect(faults).toEqual([
      { username: 'ann', columnName: 'Oral exam', text: 'good', fault: 'number' },
    ])
  })

  it('asks for one reason, and saves nothing that has a fault', () => {
    const form = (texts: string[][]) =>
      render(
        <BlockForm
          change={editsOfBlock(texts, PARTS, only(0, 1))}
          reason="Oral"
          onSave={() => {}}
          onClose={() => {}}
        />,
      )
    const good = form([['90'], ['91']])
    expect(textOf(good)).toContain('2 marks change. Students: 2.')
    expect(good).toContain('value="Oral"')
    expect(Object.keys(controlsOf(good))).toEqual(['Cancel', 'Save'])
    const bad = form([['90'], ['good']])
    expect(textOf(bad)).toContain('bob, Loops: “good”. Write a number, or EX')
    expect(Object.keys(controlsOf(bad))).toEqual(['Close'])
  })
})

describe('a change', () => {
  it('knows what was set before it: of a computed mark nothing', () => {
    expect(settingOf([80, ''], { kind: 'homework' })).toEqual({ points: null, excused: false })
    expect(settingOf([80, 's'], { kind: 'homework' })).toEqual({ points: 80, excused: false })
    expect(settingOf([null, 'es'], { kind: 'homework' })).toEqual({ points: null, excused: true })
    expect(settingOf([7, 'h'], { kind: 'manual' })).toEqual({ points: 7, excused: false })
  })

  it('keeps the other states of its cell', () => {
    const excused = { points: null, excused: true }
    expect(cellAfter([80, 'hk'], { kind: 'homework' }, excused)).toEqual([null, 'esh'])
    expect(cellAfter([8, 'q'], { kind: 'manual' }, { points: 9, excused: false })).toEqual([9, 'q'])
  })

  it('of many people is answered before all marks are computed', () => {
    const edits = (people: number) =>
      Array.from({ length: people }, (_, index) =>
        [1, 2].map((columnId) => ({
          username: `s${index}`,
          columnId,
          points: 1,
          excused: false,
        })),
      ).flat()
    expect(isComputedLater(edits(GRADEBOOK_LIMITS.peopleAtOnce))).toBe(false)
    expect(isComputedLater(edits(GRADEBOOK_LIMITS.peopleAtOnce + 1))).toBe(true)
  })

  it('moves between what can be undone and made again', () => {
    const edit = { username: 'ann', columnId: 1, excused: false }
    const change = (points: number) => ({
      before: [{ ...edit, points: null }],
      after: [{ ...edit, points }],
      reason: '',
    })
    const [first, second] = [change(1), change(2)]
    let history = recorded({ done: [], undone: [] }, first, 'new')
    history = recorded(history, second, 'new')
    history = recorded(history, second, 'undo')
    expect(history).toEqual({ done: [first], undone: [second] })
    expect(recorded(history, second, 'redo')).toEqual({ done: [first, second], undone: [] })
    expect(recorded(history, change(3), 'new').undone).toEqual([])
    // Of a student who is not loaded: nothing could be sent to undo it.
    expect(recorded(history, { ...change(4), before: [] }, 'new')).toBe(history)
  })

  it('brings back the reason that marks had, and never an invented one', () => {
    const set = (usernames: string[], reason: string) => {
      const after = usernames.map((username) => ({
        username,
        columnId: 1,
        points: 7,
        excused: false,
      }))
      return { before: after, after, reason }
    }
    const before = (...done: ReturnType<typeof set>[]) => reasonBefore({ done, undone: [] })
    const idea = set(['ann'], 'The idea is right')
    expect(before(idea, set(['bob'], 'Typo'), set(['ann'], ''))).toBe('The idea is right')
    // Set before the page was opened, or for different reasons.
    expect(before(set(['ann'], 'Typo'))).toBe('')
    expect(before(idea, set(['ann', 'bob'], 'Typo'))).toBe('')
    expect(before(idea, set(['ann', 'bob'], 'Typo'), set(['bob', 'ann'], ''))).toBe('Typo')
  })

  it('leaves the people without it as they are', () => {
    const page: People = { columnIds: [1, 2, 3], people: [ANN, BOB], next: null, pending: 0 }
    const cells = [{ username: 'ann', columnId: 2, cell: [9, ''] as GradebookCell }]
    const after = withCells({ pages: [page], pageParams: [''] }, cells).pages[0]
    expect(after?.people[0]?.cells).toEqual([
      [80, ''],
      [9, ''],
      [92.5, ''],
    ])
    expect(after?.people[1]).toBe(BOB)
  })
})

const TABLE: GradebookColumns = {
  columns: COLUMNS,
  groups: [],
  total: { outOf: null, decimals: 2, forAssistants: true, max: 120 },
}

describe('the gradebook', () => {
  const page = (people: Partial<People> = {}, course = {}, table = TABLE, label = '') => {
    const read = { columnIds: [1, 2, 3], people: [ANN, BOB], next: null, pending: 0, ...people }
    const filter = { sort: 'name', order: 'up', label } as const
    return render(<GradebookPage />, {
      route: '/course/:name/gradebook',
      at: `/course/A%20B/gradebook${label === '' ? '' : `?label=${label}`}`,
      course: { role: 'teacher', ...course },
      reads: [
        [columnsQuery(COURSE.course), table],
        [peopleQuery(COURSE.course, filter), pages(read)],
      ],
    })
  }
  it('shows people, marks, their states, and who sees them', () => {
    const [head, ann, bob] = rowsOf(page())
    expect(head).toBe(
      'Student ↑ Loops of 100 Shown to students Oral exam of 20 Hidden from students ' +
        'Total of 120 Hidden from students',
    )
    expect(ann).toBe('Ann Lee ann 80 12.5 Held back from the student 92.5')
    expect(bob).toContain('bob EX Excused · Set by staff 25 The student has an open question')
    expect(bob).toContain('This is above the maximum of 20.')
  })

  it('is one stop of the tab key, with a cell that is active', () => {
    const markup = page()
    expect(markup.match(/role="grid"[^>]*tabindex="0"/g)).toHaveLength(1)
    expect(markup).toContain('aria-rowcount="3"')
    expect(markup).toContain('aria-activedescendant="mark-0-1"')
    expect(markup).toContain('id="mark-0-1"')
  })

  it('draws only the rows in sight', () => {
    const people = Array.from({ length: 1_000 }, (_, index) => row(`s${index}`, ANN.cells))
    const markup = page({ people })
    expect(markup).toContain('aria-rowcount="1001"')
    expect(rowsOf(markup).length).toBeLessThan(80)
  })

  it('leads to the settings, the files and each student', () => {
    expect(controlsOf(page())).toMatchObject({
      'Columns and total': '/course/A%20B/gradebook/settings',
      'Other systems': '/course/A%20B/gradebook/files',
      'Download CSV': expect.stringContaining('/course/A%20B/gradebook/file'),
      'Ann Lee': '/course/A%20B/marks/ann',
    })
    expect(controlsOf(page({}, { role: 'ta' }))).not.toHaveProperty('Columns and total')
  })

  it('says what is still computed and loaded', () => {
    expect(textOf(page({ pending: 12 }))).toContain('12 marks are being computed.')
    expect(textOf(page({ next: 'x' }))).toContain('2 students loaded so far.')
    expect(textOf(page())).not.toMatch(/being computed|loaded so far/)
  })

  it('says what is missing', () => {
    const noStudents = page({ people: [] }, { students: [] })
    expect(textOf(noStudents)).toContain('There are no students in this course yet.')
    expect(controlsOf(noStudents)).toMatchObject({ Members: '/course/A%20B/members' })
    const noColumns = page({}, {}, { ...TABLE, columns: TABLE.columns.slice(2) })
    expect(controlsOf(noColumns)).toMatchObject({ 'New homework': '/course/A%20B/homeworks/new' })
  })

  it('keeps the filter of a label without students', () => {
    const labels = [{ id: 5, name: 'Lab A', shown: true }]
    const text = textOf(page({ people: [] }, { labels }, TABLE, '5'))
    expect(text).toContain('No student has this label.')
    expect(text).toContain('Label All students Lab A')
  })

  it('finds people by name and username', () => {
    expect([ANN, BOB].filter((each) => hasText(each, ' LEE'))).toEqual([ANN])
    expect([ANN, BOB].filter((each) => hasText(each, 'bo'))).toEqual([BOB])
  })
})

describe('who sees a column', () => {
  const form = (index: number) =>
    textOf(render(<ShowForm column={TABLE.columns[index] as GradebookColumn} onClose={() => {}} />))

  it('can wait for the closing only in a homework', () => {
    expect(form(0)).toContain('Shown to each student at closing')
    expect(form(1)).not.toContain('at closing')
  })

  it('is said with who is told', () => {
    expect(form(1)).toContain('Students no longer see these marks. No student is told.')
    expect(form(0)).toContain('All students see their marks now and are told.')
  })
})

describe('the reason of a mark', () => {
  const mark: GradebookMark = {
    ...markWith({
      column: columnWith(1, { name: 'Loops' }),
      user: ANN.user,
      points: 80,
      derivation: {
        problems: [SECOND_TRY],
        added: 500,
        lateDays: 0,
        excusedBy: null,
        isSet: false,
      },
      problems: [{ problemId: 7, name: 'Sum' }],
      given: [{ problemId: null, points: 5, comment: 'Nice', by: 'tina', at: 0 }],
      questionId: idOf(3),
    }),
    history: [{ points: 70, excused: false, reason: 'Typo', by: null, at: 0 }],
    held: true,
  }
  const shown = (change: Partial<GradebookMark> = {}) =>
    render(
      <LoadedMark
        mark={{ ...mark, ...change }}
        reason=""
        onSave={() => {}}
        isSaving={false}
        isSaved={false}
        onUndo={null}
        error={null}
      />,
      { course: { role: 'ta' } },
    )

  it('names the rule, the submissions, what staff gave, and what was before', () => {
    const text = textOf(shown())
    expect(text).toContain('It came in time with 80 points: 80 of 100.')
    expect(text).toContain('Staff added 5 points to the homework: “Nice”.')
    expect(text).toContain('Together that is 85 of 100 points.')
    expect(text).toContain('Whole homework: 5 · tina')
    expect(text).toMatch(/70 · deleted account · .* · Typo/)
    expect(text).toContain('The student does not see this mark.')
  })

  it('leads to the submission, the question and the student’s page', () => {
    expect(controlsOf(shown())).toMatchObject({
      '#7 Sum': `/course/A%20B/submission/${idOf(5)}`,
      'Open the student’s question': `/course/A%20B/question/${idOf(3)}`,
      'See the student’s page': '/course/A%20B/marks/ann',
      'Let go': undefined,
      Save: undefined,
    })
    // A reason alone would set a computed mark.
    expect(shown()).toMatch(/<button(?=[^>]* type="submit")[^>]* disabled=""/)
    const total = controlsOf(shown({ column: COLUMNS[2] as GradebookColumn, held: false }))
    expect(total).toHaveProperty('Hold back')
    expect(total).not.toHaveProperty('Save')
  })
})
