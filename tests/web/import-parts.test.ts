/** A checked file of members is sent in parts, and continues after an interruption. */
import { describe, expect, it } from 'vitest'
import type { BatchSignupResult, BatchSignupRow } from '#contract/people/auth'
import {
  afterPart,
  nextPart,
  toFileRows,
  toPartCsv,
  toWholeResult,
} from '../../web/features/courses/import-parts.ts'
import { markOf } from '../../web/features/courses/stopped-import.ts'

const member = (index: number) => ({
  username: `u${index}`,
  email: `u${index}@x.test`,
  displayedName: '王小明',
  password: '',
  role: '',
  labels: '',
})
const members = Array.from({ length: 120 }, (_, index) => member(index))

/** A result whose rows have these actions, from the second line on. */
function resultOf(...actions: BatchSignupRow['action'][]): BatchSignupResult {
  const rows = actions.map((action, index) => ({ line: index + 2, username: `u${index}`, action }))
  const countOf = (wanted: string) => actions.filter((action) => action === wanted).length
  return {
    created: countOf('create'),
    updated: countOf('update'),
    enrolled: countOf('enrol'),
    unchanged: countOf('none'),
    rows,
  }
}

const fill = (count: number, action: BatchSignupRow['action']) =>
  Array.from({ length: count }, () => action)
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index)

describe('parts of a file', () => {
  it('have fifty rows that do something; rows that are in are not sent again', () => {
    const result = resultOf(...fill(10, 'none'), ...fill(60, 'create'), 'none', ...fill(2, 'enrol'))
    const first = nextPart({ done: 0, result })
    expect(first).toEqual(numbers(10, 60))
    expect(nextPart({ done: 60, result })).toEqual([...numbers(60, 70), 71, 72])
    expect(nextPart({ done: 73, result })).toEqual([])
    expect(toPartCsv(members, [71, 72])).toBe(
      'username,password,email,displayedName,role\nu71,,u71@x.test,王小明,\nu72,,u72@x.test,王小明,',
    )
  })

  it('add up to one result of the file, in which the answers count', () => {
    const state = { done: 0, result: resultOf('none', 'create', 'create', 'create') }
    const answer = { ...resultOf('create', 'none'), notMailed: ['u1'], waitingLinks: 1 }
    const one = afterPart(state, [1, 2], answer)
    expect(one.done).toBe(3)
    const whole = afterPart(one, [3], { ...resultOf('enrol'), notMailed: ['u3'], waitingLinks: 2 })
    expect(whole.done).toBe(4)
    expect(whole.result).toMatchObject({
      created: 1,
      updated: 0,
      enrolled: 1,
      unchanged: 2,
      notMailed: ['u1', 'u3'],
      waitingLinks: 3,
    })
    expect(whole.result.rows.map(({ line, action }) => [line, action])).toEqual([
      [2, 'none'],
      [3, 'create'],
      [4, 'none'],
      [5, 'enrol'],
    ])
  })

  it('that are refused name their rows as the file has them', () => {
    const { rows } = resultOf('create', 'error', 'create')
    expect(toFileRows([1, 70, 71], rows).map(({ line }) => line)).toEqual([3, 72, 73])
  })

  it('after a break begin behind those that are in', () => {
    const whole = toWholeResult(members, 50, resultOf('create', 'update'))
    expect(whole).toMatchObject({ created: 1, updated: 1, unchanged: 50 })
    expect([0, 49, 50, 51].map((at) => whole.rows[at])).toMatchObject([
      { line: 2, username: 'u0', action: 'none' },
      { line: 51, username: 'u49', action: 'none' },
      { line: 52, action: 'create' },
      { line: 53, action: 'update' },
    ])
    expect(nextPart({ done: 50, result: whole })).toEqual([50, 51])
  })
})

describe('an import that has stopped', () => {
  it('is known again by its file, and by no other', () => {
    expect(markOf('username\n王小明')).toBe(markOf('username\n王小明'))
    expect(markOf('username\n王小明')).not.toBe(markOf('username\n王小朋'))
    // Published test vectors of FNV-1a: the empty text, and one letter.
    expect([markOf(''), markOf('a')].map((mark) => mark >>> 0)).toEqual([0x811c9dc5, 0xe40c292c])
  })
})
