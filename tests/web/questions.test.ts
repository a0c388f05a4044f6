import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segmentsOf } from '../../web/components/questions/segments.ts'
import { questionPath } from '../../web/lib/queries/questions.ts'

describe('code with questions', () => {
  it('is cut after the lines that are asked about', () => {
    const lines = ['a', 'b', 'c', 'd']
    expect(segmentsOf(lines, [])).toEqual([{ lines, first: 0 }])
    expect(segmentsOf(lines, [3, 1, 3])).toEqual([
      { lines: ['a'], first: 0 },
      { lines: ['b', 'c'], first: 1 },
      { lines: ['d'], first: 3 },
    ])
    expect(segmentsOf(lines, [4])).toEqual([{ lines, first: 0 }])
  })

  it('keeps all lines in order, whichever are asked about', () => {
    const lines = fc.array(fc.string(), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(lines, fc.array(fc.integer({ min: 1, max: 40 })), (code, ends) => {
        const segments = segmentsOf(code, ends)
        expect(segments.flatMap((segment) => segment.lines)).toEqual(code)
        for (const { lines: part, first } of segments)
          expect(code.slice(first, first + part.length)).toEqual(part)
      }),
    )
  })
})

describe('a question', () => {
  const question = {
    questionId: 'b'.repeat(24),
    course: 'Data structures',
    problemId: 1,
    problemName: 'A',
    request: null,
    mark: null,
    student: { username: 's', displayedName: 'S', role: 2 },
    state: 'open',
    waiting: true,
    createTime: 1,
    updateTime: 1,
  } as const

  it('is read at its line, or on a page of its own', () => {
    const about = { ...question, submissionId: 'a'.repeat(24), line: 3 }
    expect(questionPath(about)).toBe(
      `/course/Data%20structures/submission/${'a'.repeat(24)}#question-${'b'.repeat(24)}`,
    )
    expect(questionPath({ ...question, submissionId: null, line: null })).toBe(
      `/course/Data%20structures/question/${'b'.repeat(24)}`,
    )
  })
})
