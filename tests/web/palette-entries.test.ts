import { expect, test } from 'vitest'
import {
  entriesOf,
  findEntries,
  peopleOf,
  type PaletteEntry,
} from '../../web/layout/palette-entries.ts'

const entry = (group: PaletteEntry['group'], label: string, detail = '') => ({
  group,
  label,
  detail,
  to: `/${label}`,
})

const ENTRIES = [
  entry('pages', 'Home'),
  entry('courses', 'Algorithms', 'Grace Hopper'),
  entry('problems', 'Largest number', '#12'),
  entry('problems', 'Submit: Largest number', '#12'),
  entry('people', 'Ada Lovelace', 'ada1815'),
]

test.each([
  ['larg', ['Largest number', 'Submit: Largest number']],
  ['NUMBER sub', ['Submit: Largest number']],
  ['#12 sub', ['Submit: Largest number']],
  ['1815', ['Ada Lovelace']],
  ['hopper', ['Algorithms']],
  ['  ', ['Largest number', 'Submit: Largest number', 'Ada Lovelace', 'Algorithms', 'Home']],
  ['zebra', []],
])('%j finds %j', (text, labels) => {
  expect(findEntries(ENTRIES, text).map(({ label }) => label)).toEqual(labels)
})

test('what other courses hold is found by its id and its course, beside what the open one has', () => {
  const found = entriesOf({
    problems: [
      { problemId: 10, problemName: 'Large Fibonacci numbers', course: 'Data structures' },
      { problemId: 12, problemName: 'Largest number', course: 'Algorithms' },
    ],
    homeworks: [{ id: 'a1', name: 'Fibonacci week', course: 'Data structures' }],
    people: [{ username: 'fibo', displayedName: '', role: 2, course: 'Data structures' }],
  })
  const labels = (text: string) => findEntries([...ENTRIES, ...found], text).map(({ to }) => to)
  expect(labels('fib')).toEqual([
    '/course/Data%20structures/problem/10',
    '/course/Data%20structures/homeworks#homework-a1',
    '/course/Data%20structures/submissions?username=fibo',
  ])
  expect(labels('#10')).toEqual(['/course/Data%20structures/problem/10'])
  // A course's name finds the course only.
  expect(labels('structures')).toEqual([])
  expect(labels('struct fib week')).toEqual(['/course/Data%20structures/homeworks#homework-a1'])
})

test('a page that the open course and the search have is offered once', () => {
  const own = { group: 'problems' as const, label: 'Sum', detail: '#3', to: '/course/A/problem/3' }
  const found = entriesOf({
    problems: [{ problemId: 3, problemName: 'Sum', course: 'A' }],
    homeworks: [],
    people: [],
  })
  expect(findEntries([own, ...found], 'sum')).toEqual([own])
})

test('a crowd of one group hides no other group', () => {
  const crowd = Array.from({ length: 500 }, (_, index) => entry('people', `Home alone ${index}`))
  const found = findEntries([...crowd, ...ENTRIES], 'home')
  expect(found).toEqual([...crowd.slice(0, 8), ...findEntries(ENTRIES, 'home')])
  expect(found.at(-1)?.label).toBe('Home')
})

test('as many of a group as are shown are all there', () => {
  const few = Array.from({ length: 8 }, (_, index) => entry('people', `Ada ${index}`))
  expect(findEntries(few, 'ada')).toEqual(few)
})

test.each([
  ['teacher', ['Grace Hopper', 'ta1', 'Ada Lovelace']],
  ['ta', ['Grace Hopper', 'ta1', 'Ada Lovelace']],
  ['student', []],
] as const)('a %s is offered these people: %j', (role, labels) => {
  const course = {
    course: 'Algorithms',
    teacher: { username: 'grace', displayedName: 'Grace Hopper', role: 1 as const },
    TAs: [{ username: 'ta1', displayedName: '', role: 2 as const }],
    students: [{ username: 'ada1815', displayedName: 'Ada Lovelace', role: 2 as const }],
  }
  const people = peopleOf({ ...course, role })
  expect(people.map(({ label }) => label)).toEqual(labels)
  expect(people.every(({ group }) => group === 'people')).toBe(true)
})

test('a problem stands first under its number, before all whose numbers begin with it', () => {
  const longer = Array.from({ length: 9 }, (_, digit) =>
    entry('problems', `Problem ${digit}`, `#1${digit}`),
  )
  expect(findEntries([...longer, entry('problems', 'First', '#1')], '#1')[0]?.label).toBe('First')
})
