/** What staff and students see of labels. */
import { describe, expect, it } from 'vitest'
import type { Homework } from '#contract/homeworks'
import { isShownBy, labelCell, labelsOf } from '../../web/components/labels/labels.ts'
import { GiveLabels } from '../../web/features/courses/give-labels.tsx'
import { LabelNotice } from '../../web/features/courses/label-notice.tsx'
import { LabelsForm } from '../../web/features/courses/labels-form.tsx'
import { MembersPage } from '../../web/features/courses/members-page.tsx'
import { HomeworkStatsPage } from '../../web/features/homeworks/stats-page.tsx'
import { QuestionsPage } from '../../web/features/questions/list-page.tsx'
import { submissionsQuery } from '../../web/features/submissions/api.ts'
import { SubmissionsPage } from '../../web/features/submissions/list-page.tsx'
import { homeworkQuery } from '../../web/lib/queries/homework-dates.ts'
import { courseProblemsQuery } from '../../web/lib/queries/problems.ts'
import { questionsQuery } from '../../web/lib/queries/questions.ts'
import { datesAt, plainRules } from './fixtures/dates.ts'
import {
  controlsOf,
  COURSE,
  idOf,
  pages,
  render,
  rowsOf,
  textOf,
  type Scene,
} from './fixtures/rendered.tsx'

const LABELS = [
  { id: 3, name: 'Lab A', shown: true },
  { id: 5, name: '需要較多時間', shown: false },
]
const LABELLED: Scene['course'] = {
  labels: LABELS,
  memberLabels: new Map([['ann', [5, 3]]]),
}
const close = () => undefined

/** The fields and checkboxes by their names; whether each checkbox is checked. */
function boxesOf(markup: string): string[] {
  return [...markup.matchAll(/<input\b[^>]*type="checkbox"[^>]*>/g)].map(([box]) =>
    [/aria-label="([^"]*)"/.exec(box)?.[1] ?? '', / checked=""/.test(box) ? 'checked' : '']
      .join(' ')
      .trim(),
  )
}

describe('labels', () => {
  const course = { labels: LABELS, memberLabels: new Map([['ann', [5, 3]]]) }

  it('of a person come in the order of the course', () => {
    expect(labelsOf(course, 'ann')).toEqual(LABELS)
    expect(labelsOf(course, 'bob')).toEqual([])
    expect(labelCell(course, 'ann')).toBe('Lab A; 需要較多時間')
  })

  it.each([
    ['', true, true],
    ['3', true, false],
    ['4', false, false],
    ['none', false, true],
  ])('choice %j shows ann: %s, bob: %s', (choice, ann, bob) => {
    const shown = ['ann', 'bob'].map((username) => isShownBy(choice, course, username))
    expect(shown).toEqual([ann, bob])
  })
})

describe('the members with labels', () => {
  const members = (course: Scene['course'], at?: string) =>
    render(<MembersPage />, {
      route: '/course/:name/members',
      at: at ?? '/course/A%20B/members',
      course: { ...LABELLED, ...course },
    })

  it('show them, and let staff choose students', () => {
    const markup = members({ role: 'ta' })
    expect(rowsOf(markup).slice(3)).toEqual([
      'ann Ann Lee Student Lab A 需要較多時間',
      'bob Student',
    ])
    expect(boxesOf(markup)).toEqual(['', 'Select ann', 'Select bob'])
    expect(Object.keys(controlsOf(markup))).toEqual(
      expect.arrayContaining(['Labels of 0 students', 'Edit labels']),
    )
    expect(textOf(markup)).toContain('All students Lab A 需要較多時間 No label')
  })

  it('are filtered by the address; staff of the course have no labels', () => {
    const rows = (query: string) =>
      rowsOf(members({ role: 'ta' }, `/course/A%20B/members?label=${query}`)).slice(1)
    expect(rows('3')).toEqual(['ann Ann Lee Student Lab A 需要較多時間'])
    expect(rows('none')).toEqual(['bob Student'])
    expect(rows('99')).toHaveLength(4)
  })

  it('show students what they may see, and nothing to change', () => {
    const markup = members(
      { role: 'student', labels: LABELS.slice(0, 1) },
      '/course/A/members?label=3',
    )
    expect(rowsOf(markup)).toHaveLength(5)
    expect(rowsOf(markup)[3]).toBe('ann Ann Lee Student Lab A')
    expect(boxesOf(markup)).toEqual([])
    expect(textOf(markup)).not.toMatch(/Edit labels|All students/)
  })

  it('without any have no column and no filter, but staff can make one', () => {
    const markup = members({ role: 'ta', labels: [], memberLabels: new Map() })
    expect(rowsOf(markup)[0]).toBe('Username Display name Role in the course')
    expect(textOf(markup)).not.toContain('All students')
    expect(controlsOf(markup)).toHaveProperty('Edit labels')
  })
})

describe('the dialogs of labels', () => {
  it('gives labels; one that only some have is neither on nor off', () => {
    const give = (students: string[]) =>
      render(<GiveLabels students={students} onDone={close} onClose={close} />, {
        course: { role: 'ta', ...LABELLED },
      })
    expect(boxesOf(give(['ann']))).toEqual(['checked', 'checked'])
    expect(boxesOf(give(['bob']))).toEqual(['', ''])
    expect(textOf(give(['ann', 'bob']))).toContain('Lab A 1 of 2 have it')
  })

  it('edits the labels of the course', () => {
    const markup = render(<LabelsForm onDone={close} onClose={close} />, {
      course: { role: 'ta', ...LABELLED },
    })
    expect(markup).toContain('value="Lab A"')
    expect(boxesOf(markup)).toEqual([
      'Shown to students: Lab A checked',
      'Shown to students: 需要較多時間',
    ])
    expect(Object.keys(controlsOf(markup))).toEqual([
      'Delete: Lab A',
      'Delete: 需要較多時間',
      'Add a label',
      'Cancel',
      'Save',
    ])
    expect(textOf(markup)).toContain('1 student Shown to students')
  })
})

describe('the labels of a file', () => {
  const text = (change: object) => {
    const plan = { count: 2, newNames: [], badNames: [], isTooMany: false, ...change }
    return textOf(render(<LabelNotice plan={plan} />, {}))
  }

  it('are said before the import, with those that it makes', () => {
    expect(text({})).toMatch(/^2 rows name labels\..*get none\.$/)
    expect(text({ newNames: ['Lab B', '組一'] })).toContain('makes them: Lab B, 組一.')
    expect(text({ count: 0 })).toBe('')
  })

  it('are refused where a label cannot have the name', () => {
    const bad = text({ newNames: ['x', 'y'], badNames: ['y'] })
    expect(bad).toContain('hold a hidden character: y.')
    expect(bad).not.toContain('makes them')
    expect(text({ newNames: ['x'], isTooMany: true })).toContain('more than 100 labels')
  })
})

describe('a label in the address', () => {
  const course = { role: 'ta' as const, ...LABELLED }
  const submissions = (label: string) => {
    const filter = { problemId: '', status: '', languageType: '', username: '', label }
    return [
      submissionsQuery(COURSE.course, filter),
      pages({ submissions: [], next: null }),
    ] as const
  }
  const questions = (label: string) =>
    [
      questionsQuery(COURSE.course, { state: 'open', problemId: '', label }),
      pages({ items: [], next: null }),
    ] as const

  it.each([
    ['submissions', <SubmissionsPage key="" />, submissions, 'No submission matches.'],
    ['questions', <QuestionsPage key="" />, questions, 'No question matches.'],
  ])('filters the %s by what the API gives', (page, element, readOf, text) => {
    const show = (role: 'student' | 'ta', read: string) =>
      textOf(
        render(element, {
          route: `/course/:name/${page}`,
          at: `/course/A%20B/${page}?label=5`,
          course: { ...course, role },
          reads: [[courseProblemsQuery(COURSE.course), []], readOf(read)],
        }),
      )
    expect(show('ta', '5')).toContain(text)
    expect(show('ta', '')).not.toContain(text)
    expect(show('student', '5')).not.toContain(text)
    expect(show('student', '5')).not.toContain('All students')
  })

  it('filters the scoreboard', () => {
    const read: Homework = {
      id: idOf(1),
      name: 'Loops',
      course: COURSE.course,
      start: 1,
      end: 2,
      ...plainRules([7]),
      own: datesAt(1, 2),
      markdown: '',
      problemIds: [7],
      problems: [{ problemId: 7, problemName: 'Sum' }],
      scoreboardStatus: 0,
      scoreboardNames: false,
      status: 'over',
      studentStatus: new Map(),
      marks: new Map(),
    }
    const namesOf = (query: string) =>
      rowsOf(
        render(<HomeworkStatsPage />, {
          route: '/course/:name/homeworks/:homeworkId/stats',
          at: `/course/A%20B/homeworks/${idOf(1)}/stats?${query}`,
          course,
          reads: [[homeworkQuery(idOf(1)), read]],
        }),
      )
        .map((row) => row.split(' ')[0])
        .filter((name) => name === 'Ann' || name === 'bob')
    expect(namesOf('')).toEqual(['Ann', 'bob'])
    expect(namesOf('label=5')).toEqual(['Ann'])
    expect(namesOf('label=none')).toEqual(['bob'])
  })
})
