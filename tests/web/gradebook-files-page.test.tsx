/** What staff see of a file of another system, before they fill it or read marks from it. */
import { describe, expect, it } from 'vitest'
import type { GradebookPage } from '#contract/gradebook'
import { FilesPage } from '../../web/features/gradebook/files-page.tsx'
import { RefusalNote } from '../../web/features/gradebook/files/file-section.tsx'
import { wholeGradebookQuery } from '../../web/features/gradebook/api.ts'
import { markedPeople } from '../../web/features/gradebook/files/marked-people.ts'
import { OpenedPanel } from '../../web/features/gradebook/files/opened-panel.tsx'
import { ReadPanel } from '../../web/features/gradebook/files/read-panel.tsx'
import { toBody } from '../../web/features/gradebook/files/send-marks.ts'
import { useOpenedFile } from '../../web/features/gradebook/files/use-opened-file.ts'
import { openGradebook } from '../../web/lib/gradebook-files/open.ts'
import { columnsQuery } from '../../web/lib/queries/marks.ts'
import { bytesOf, COLUMNS, opened, PEOPLE } from './fixtures/gradebooks.ts'
import {
  controlsOf,
  COURSE,
  itemsOf,
  person,
  render,
  rowsOf,
  textOf,
} from './fixtures/rendered.tsx'
import type { Scene } from './fixtures/rendered.tsx'

const STAFF: Scene = { course: { role: 'ta' } }

const PAGES: GradebookPage[] = [
  {
    columnIds: [1, 2],
    people: [
      {
        user: person('ann', 'Ann Lee'),
        labels: [],
        cells: [
          [42.5, 's'],
          [null, 'e'],
        ],
      },
    ],
    next: 'x',
    pending: 2,
  },
  {
    columnIds: [1, 2],
    people: [
      {
        user: person('bob'),
        labels: [],
        cells: [
          [null, ''],
          [0.1, 'hq'],
        ],
      },
    ],
    next: null,
    pending: 2,
  },
]

const TABLE = {
  columns: COLUMNS,
  groups: [],
  total: { outOf: null, decimals: 2 as const, forAssistants: false, max: 190 },
}

const panel = (name: string, scene: Scene = STAFF) =>
  render(
    <OpenedPanel
      picked={{ name, file: opened(bytesOf(name)) }}
      people={PEOPLE}
      columns={COLUMNS}
    />,
    scene,
  )

/** The options of each choice. */
const choicesOf = (markup: string) =>
  Object.fromEntries(
    [...markup.matchAll(/<select\b[^>]*aria-label="([^"]*)"[^>]*>([^]*?)<\/select>/g)].map(
      ([, label = '', inner = '']) => [
        label,
        [...inner.matchAll(/<option[^>]*>([^<]*)</g)].map(([, text]) => text),
      ],
    ),
  )

describe('the page of files', () => {
  const markup = render(<FilesPage />, {
    route: '/course/:name/gradebook/files',
    at: '/course/A%20B/gradebook/files',
    ...STAFF,
    reads: [
      [columnsQuery(COURSE.course), TABLE],
      [wholeGradebookQuery(COURSE.course), PAGES],
    ],
  })

  it('takes one file, which stays on the computer', () => {
    expect(markup.match(/type="file"/g)).toHaveLength(1)
    expect(textOf(markup)).toContain('The file stays on this computer')
    expect(textOf(markup)).toContain('2 marks are still being computed.')
  })

  it('has the marks of all pages', () => {
    const emails = new Map([['bob', 'bob@example.org']])
    const people = markedPeople(PAGES, emails).map(({ marks, ...rest }) => ({
      ...rest,
      marks: Object.fromEntries(marks),
    }))
    expect(people).toEqual([
      {
        username: 'ann',
        displayedName: 'Ann Lee',
        email: undefined,
        marks: {
          1: { hundredths: 4_250, isExcused: false, isHeld: false },
          2: { hundredths: null, isExcused: true, isHeld: false },
        },
      },
      {
        username: 'bob',
        displayedName: '',
        email: 'bob@example.org',
        marks: {
          1: { hundredths: null, isExcused: false, isHeld: false },
          2: { hundredths: 10, isExcused: false, isHeld: true },
        },
      },
    ])
  })
})

describe('an opened file', () => {
  it('of Canvas needs no choice: it says what changes and offers the filled file', () => {
    const markup = panel('canvas.csv')
    const text = textOf(markup)
    expect(text).toContain('canvas.csv is a gradebook of Canvas. 3 students were found in it.')
    expect(text).toContain('6 cells change.')
    expect(text).toContain('1 mark is held back from its student here.')
    expect(rowsOf(markup)).toEqual(
      expect.arrayContaining([
        '4 Ann Lee ann Loops (8101) 40.00 42.5',
        '4 Ann Lee ann Oral exam (8102) – EX',
        '6 王小明 ming Oral exam (8102) – 9',
      ]),
    )
    expect(controlsOf(markup)).toHaveProperty('Download the filled file')
    expect(itemsOf(markup)).toEqual(
      expect.arrayContaining(['Kim Cho kim', 'Kim Cho kim2', 'Row 7: Gone, Gil · s04 · gil']),
    )
  })

  it('with another maximum offers to scale', () => {
    expect(textOf(panel('canvas.csv'))).toContain('Scale from 40 to 20')
    expect(textOf(panel('moodle.csv'))).not.toContain('Scale from')
  })

  it('asks who is meant where it is not sure', () => {
    const choices = choicesOf(panel('table.tsv'))
    expect(choices).toMatchObject({
      'Student of row 2, Ann Lee · ann': ['Nobody', 'Ann Lee (ann)'],
      'Student of row 5, Kim Cho · x': ['Nobody', 'Kim Cho (kim)', 'Kim Cho (kim2)'],
      'Column of this gradebook for Loops': [
        'Leave as it is',
        'Loops',
        'Oral exam',
        'Trees, graphs',
        'Total',
      ],
    })
    expect(textOf(panel('table.tsv'))).toContain('Column that names the students')
    expect(textOf(panel('canvas.csv'))).not.toContain('Column that names the students')
  })

  it('warns of what the system does with it', () => {
    const text = textOf(panel('moodle.csv'))
    expect(text).toContain('Moodle refuses a whole file')
    expect(text).toContain('Students do not see all marks of Oral exam here yet.')
    expect(text).toContain('1 row has feedback without a grade.')
    expect(textOf(panel('blackboard.xls'))).toContain('This is a guess')
    expect(textOf(panel('blackboard.csv'))).not.toContain('This is a guess')
  })

  it('is read only by those who may set marks', () => {
    const reader = { course: { role: 'student' } } as const
    expect(textOf(panel('canvas.csv'))).toContain('Read marks from the file')
    expect(textOf(panel('canvas.csv', reader))).not.toContain('Read marks from the file')
  })
})

describe('marks read from a file', () => {
  function Reading({ bytes }: { bytes: Uint8Array }) {
    const file = opened(bytes)
    return <ReadPanel opened={useOpenedFile({ name: 'm.csv', file }, PEOPLE, COLUMNS)} />
  }
  const reading = (text: string) =>
    render(<Reading bytes={new TextEncoder().encode(text)} />, STAFF)

  it('are shown before they are stored', () => {
    const markup = reading('username,Loops,Total\nann,40,1\nbea,EX,2\n')
    expect(rowsOf(markup).slice(1)).toEqual([
      '2 Ann Lee ann Loops 42.5 40',
      '3 Béa Muñoz bea Loops 50 Excused',
    ])
    expect(textOf(markup)).toContain('2 marks would change.')
    expect(controlsOf(markup)).toHaveProperty('Store 2 marks')
    expect(textOf(markup)).toContain('Reason (optional). The students read it.')
    expect(markup).not.toContain('m.csv')
  })

  it('are not stored while a cell is wrong', () => {
    const markup = reading('username,Loops\nann,40\nbea,many\n')
    expect(itemsOf(markup)).toEqual(['Row 3, Loops: “many” is not a number of points.'])
    expect(Object.keys(controlsOf(markup))).toEqual([])
  })

  it('are sent in points', () => {
    const [ann, bea] = PEOPLE
    if (ann === undefined || bea === undefined) throw new Error('Nobody is there.')
    const edit = { row: 1, column: 1, columnId: 2, head: 'A', before: undefined }
    expect(
      toBody(
        [
          { ...edit, person: ann, hundredths: 1_225 },
          { ...edit, person: bea, hundredths: null },
        ],
        'Oral',
      ),
    ).toEqual({
      reason: 'Oral',
      edits: [
        { username: 'ann', columnId: 2, points: 12.25, excused: false },
        { username: 'bea', columnId: 2, points: null, excused: true },
      ],
    })
  })
})

describe('a file that is not opened', () => {
  it.each([
    ['%PDF-1.7', 'm.csv is a PDF. Export the gradebook as CSV.'],
    ['<html>', 'm.csv is a web page.'],
    ['', 'm.csv is empty.'],
    ['a,b\n"1,2', 'The quotation mark in row 2 of m.csv is not closed.'],
  ])('like %j says what it is', (text, said) => {
    const refusal = openGradebook(new TextEncoder().encode(text))
    if (!('why' in refusal)) throw new Error('It was opened.')
    expect(textOf(render(<RefusalNote name="m.csv" refusal={refusal} />))).toContain(said)
  })
})
