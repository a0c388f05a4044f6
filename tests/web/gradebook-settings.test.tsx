/** How the teacher says what the columns of a gradebook are and how its total is made. */
import { createInstance } from 'i18next'
import { describe, expect, it } from 'vitest'
import { gradebookForm, type GradebookColumn, type GradebookColumns } from '#contract/gradebook'
import { SettingsPage } from '../../web/features/gradebook/settings-page.tsx'
import {
  groupSentences,
  totalSentences,
} from '../../web/features/gradebook/settings/rule-sentences.ts'
import {
  newColumn,
  newGroup,
  overStored,
  ruleOf,
  toSettings,
  toSettingsValues,
  withoutColumn,
  type SettingsValues,
} from '../../web/features/gradebook/settings/settings-values.ts'
import { columnsQuery } from '../../web/lib/queries/marks.ts'
import { english } from './fixtures/catalogues.ts'
import { columnWith } from './fixtures/marks.ts'
import { controlsOf, COURSE, render, rowsOf, textOf } from './fixtures/rendered.tsx'

const i18n = createInstance()
await i18n.init({
  resources: { en: { translation: english } },
  interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
})
const t = i18n.getFixedT('en')

const column = (id: number, name: string, change: Partial<GradebookColumn> = {}) =>
  columnWith(id, { name, groupId: 4, ...change })
const manual = { kind: 'manual', homeworkId: null } as const
const COLUMNS: GradebookColumns = {
  columns: [
    column(1, 'Loops'),
    column(2, 'Trees'),
    column(3, 'Graphs'),
    column(5, 'Oral exam', { ...manual, max: 20, groupId: 6 }),
    column(7, 'Attendance', { ...manual, max: 10, groupId: null, weight: 2.5 }),
    column(9, 'Total', { kind: 'total', homeworkId: null, groupId: null, shown: 'no' }),
  ],
  groups: [
    { id: 4, name: 'Homeworks', weight: 60, dropLowest: 1, capPercent: 100, extra: false },
    { id: 6, name: 'Exams', weight: 40, dropLowest: 0, capPercent: 100, extra: false },
  ],
  total: { outOf: null, decimals: 0, forAssistants: false, max: 100 },
}
const VALUES = toSettingsValues(COLUMNS)

const withGroup = (change: Partial<SettingsValues['groups'][number]>): SettingsValues => ({
  ...VALUES,
  groups: VALUES.groups.map((group, index) => (index === 0 ? { ...group, ...change } : group)),
})
const withoutGroups = { ...VALUES, groups: [] }
withoutGroups.columns = VALUES.columns.map((each) => ({ ...each, group: '' }))

describe('the form', () => {
  it('sends what it was opened with', () => {
    const body = toSettings(VALUES)
    expect(gradebookForm.safeParse(body).success).toBe(true)
    expect(body.groups).toEqual(COLUMNS.groups)
    expect(body.columns).toEqual([
      { id: 1, group: 0, weight: null, extra: false },
      { id: 2, group: 0, weight: null, extra: false },
      { id: 3, group: 0, weight: null, extra: false },
      { id: 5, name: 'Oral exam', max: 20, group: 1, weight: null, extra: false },
      { id: 7, name: 'Attendance', max: 10, group: null, weight: 2.5, extra: false },
    ])
    expect(body.total).toEqual({ outOf: null, decimals: 0, forAssistants: false })
    expect(body.deleted).toEqual([])
  })

  it('keeps columns in their groups when these move', () => {
    const body = toSettings({ ...VALUES, groups: VALUES.groups.toReversed() })
    expect(body.columns.map(({ group }) => group)).toEqual([1, 1, 1, 0, null])
  })

  it('sends new groups and columns without an id, and names what is missing', () => {
    const added = { ...VALUES, groups: [newGroup()], columns: [newColumn()] }
    const parsed = gradebookForm.safeParse(toSettings(added))
    expect(toSettings(added).columns[0]).toMatchObject({ id: null, name: '', max: 100 })
    expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toEqual([
      'groups.0.name',
      'columns.0.name',
    ])
  })

  it('deletes the column that was meant, wherever it moved meanwhile', () => {
    const moved = { ...VALUES, columns: VALUES.columns.toReversed() }
    const { columns, deleted } = withoutColumn(moved, { id: 5, key: '5' })
    expect(columns.map(({ id }) => id)).toEqual([7, 3, 2, 1])
    expect(deleted).toEqual([5])
    const added = newColumn()
    const withNew = { ...VALUES, columns: [newColumn(), ...VALUES.columns, added] }
    expect(withoutColumn(withNew, added)).toEqual({
      columns: withNew.columns.slice(0, -1),
      deleted: [],
    })
  })

  it('overwrites what others saved: with their columns, without those that they deleted', () => {
    const theirs: GradebookColumns = {
      ...COLUMNS,
      columns: [
        ...COLUMNS.columns.filter(({ id }) => id !== 2 && id !== 5 && id !== 7),
        column(11, 'Essay', { ...manual, max: 30, groupId: 4 }),
        column(12, 'Quiz', { ...manual, max: 5, groupId: 8 }),
      ],
      groups: COLUMNS.groups.map((group) =>
        group.id === 6 ? { ...group, id: 8, name: 'Quizzes' } : group,
      ),
    }
    const own = {
      ...VALUES,
      columns: [...VALUES.columns.filter(({ id }) => id !== 7), newColumn()],
      deleted: [7],
    }
    const body = toSettings(overStored(own, theirs))
    expect(body.columns).toMatchObject([
      { id: 1, group: 0 },
      { id: 3, group: 0 },
      { id: null, name: '', max: 100 },
      { id: 11, name: 'Essay', max: 30, group: 0 },
      { id: 12, name: 'Quiz', group: null },
    ])
    expect(body.groups).toMatchObject([
      { id: 4, name: 'Homeworks' },
      { id: null, name: 'Exams' },
    ])
    expect(body.deleted).toEqual([])
    expect(overStored(own, COLUMNS).deleted).toEqual([7])
  })

  it('means no rule without its numbers', () => {
    expect(ruleOf(withGroup({ dropLowest: '' }))).toBeNull()
    expect(ruleOf(withGroup({ capPercent: 0 }))).toBeNull()
    expect(ruleOf(withGroup({ weight: -1 }))).toBeNull()
    expect(ruleOf(withGroup({ weight: 0.29 }))?.groups[0]?.weight).toBe(29)
    expect(ruleOf(withGroup({ weight: '' }))?.groups[0]?.weight).toBeNull()
  })
})

describe('the sentences', () => {
  const group = (values: SettingsValues, index = 0) =>
    groupSentences(values, index, t, String).join(' ')
  const total = (values: SettingsValues) => totalSentences(values, t, String).join(' ')

  it('say what a group adds', () => {
    expect(group(VALUES)).toBe('Homeworks: 60 of 100. The lowest of 3 is dropped. At most 100 %.')
    expect(group(withGroup({ dropLowest: 2 }))).toContain('The 2 lowest of 3 are dropped.')
    expect(group(VALUES, 1)).toBe('Exams: 40 of 100. At most 100 %.')
    expect(group(withGroup({ weight: '' }))).toContain('Homeworks: 200 of 240.')
    expect(group(withGroup({ dropLowest: '' }))).toBe('')
  })

  it('say that one column always stays', () => {
    expect(group(withGroup({ dropLowest: 9 }))).toContain('The 2 lowest of 3 are dropped.')
  })

  it('say what caps and extra credit do', () => {
    expect(group(withGroup({ capPercent: 80 }))).toContain('80 % of the points are enough')
    expect(group(withGroup({ capPercent: 110 }))).toContain('At most 110 %.')
    expect(group(withGroup({ extra: true }))).toContain(
      'Homeworks: up to 60 on top of the others. The total is never above 40.',
    )
    const bonus = VALUES.columns.map((each, index) => ({ ...each, extra: index === 2 }))
    expect(group({ ...VALUES, columns: bonus })).toContain(
      'The lowest of 2 is dropped. At most 100 %. Extra credit: Graphs.',
    )
    const none = VALUES.columns.map((each) => ({ ...each, group: '' }))
    expect(group({ ...VALUES, columns: none })).toBe('Homeworks: no column counts.')
  })

  it('say how the total is made', () => {
    expect(total(VALUES)).toBe(
      'The total is out of 100. It is rounded to whole points. Not part of it: Attendance.',
    )
    const own = { ...VALUES.total, outOf: 50, decimals: 1 } as const
    expect(total({ ...VALUES, total: own })).toContain(
      'The total is out of 50. It is rounded to one decimal.',
    )
    const unnamed = VALUES.columns.map((each) => ({ ...each, name: '' }))
    expect(total({ ...VALUES, columns: unnamed })).toContain('Not part of it: Column 5.')
    expect(total(withoutGroups)).toBe(
      'All columns add up. The total is out of 322.5. It is rounded to whole points.',
    )
  })
})

describe('the page', () => {
  const page = (columns: GradebookColumns) =>
    render(<SettingsPage />, {
      route: '/course/:name/gradebook/settings',
      at: '/course/A%20B/gradebook/settings',
      course: { role: 'teacher' },
      reads: [[columnsQuery(COURSE.course), columns]],
    })

  it('has fields and buttons for groups and columns; only manual columns are deleted', () => {
    const markup = page(COLUMNS)
    expect(controlsOf(markup)).toMatchObject({
      'Move Homeworks down': undefined,
      'Remove the group Exams': undefined,
      'Move Loops up': undefined,
      'Delete the column Oral exam': undefined,
      'Add a group': undefined,
      'Add a column': undefined,
      Save: undefined,
    })
    expect(controlsOf(markup)).not.toHaveProperty('Delete the column Loops')
    expect(controlsOf(markup)).not.toHaveProperty('Move Total up')
    expect(textOf(markup)).toContain('Homework, at most 100 points')
    expect(textOf(markup)).toContain('Homeworks: 60 of 100. The lowest of 3 is dropped.')
  })

  it('shows an example by the same rule as the server', () => {
    const markup = page(COLUMNS)
    expect(rowsOf(markup)).toEqual([
      'Column Points Excused Adds to the total',
      'Loops 27 of 30',
      'Trees Dropped as one of the lowest',
      'Graphs 22.5 of 30',
      'Oral exam 40 of 40',
      'Attendance',
    ])
    expect(textOf(markup)).toContain('Homeworks: 49.5 of 60 Exams: 40 of 40 Total: 90 of 100')
  })

  it('says whether students see the total, and changes this', () => {
    const shown = {
      ...COLUMNS,
      columns: COLUMNS.columns.map((each) => ({ ...each, shown: 'yes' }) as const),
    }
    expect(textOf(page(COLUMNS))).toContain('Students do not see their totals.')
    expect(controlsOf(page(COLUMNS))).toHaveProperty('Show the total to students')
    expect(textOf(page(shown))).toContain('Students see their totals.')
    expect(controlsOf(page(shown))).toHaveProperty('Hide the total from students')
  })

  it('has no choice of a group without groups, and no example without columns', () => {
    const total = COLUMNS.columns.slice(-1)
    const markup = page({ ...COLUMNS, groups: [], columns: total })
    expect(rowsOf(markup)).toEqual([])
    expect(textOf(page({ ...COLUMNS, groups: [] }))).not.toContain('None: not part of the total')
    expect(textOf(page(COLUMNS))).toContain('None: not part of the total')
  })
})
