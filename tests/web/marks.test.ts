import { expect, test } from 'vitest'
import { STATUS, type SubmissionStatus } from '#contract/verdicts'
import { countSolved, markOfProblem, markOfProgress } from '../../web/lib/format/marks.ts'
import { limitsText } from '../../web/lib/format/measures.ts'

function progress(problemStatus: SubmissionStatus | null) {
  const none = { submissionIds: [], bestId: null, late: null, counted: null }
  return { ...none, score: 100, problemStatus, mark: null, kept: false, given: null }
}

test('a problem is solved by an Accepted submission, not by its points', () => {
  expect(markOfProblem({ solved: true, submitCount: 2 })).toBe('solved')
  expect(markOfProblem({ solved: false, submitCount: 2 })).toBe('begun')
  expect(markOfProblem({ solved: false, submitCount: 0 })).toBe('untouched')
})

test('in a homework what came in time, or late and counts, solves a problem', () => {
  const own = { 1: progress(STATUS.AC), 2: progress(STATUS.WA), 3: progress(null) }
  const marks = [1, 2, 3, 4].map((id) => markOfProgress(own[id as keyof typeof own]))
  expect(marks).toEqual(['solved', 'begun', 'begun', 'untouched'])
  expect(countSolved([1, 2, 3, 4], own)).toBe(1)
  expect(countSolved([2, 4], own)).toBe(0)
  const late = { ...progress(null), late: { score: 100, submissionIds: ['b'], bestId: 'b' } }
  expect(markOfProgress({ ...late, counted: 'b' })).toBe('solved')
  expect(markOfProgress({ ...late, counted: 'a' })).toBe('begun')
  expect(markOfProgress({ ...late, late: { ...late.late, score: 99 }, counted: 'b' })).toBe('begun')
})

test('limits name both ends where subtasks differ', () => {
  const subtask = { timeLimit: 1000, memoryLimit: 65_536 }
  expect(limitsText([subtask, subtask])).toBe('1000 ms, 64 MB')
  const larger = { timeLimit: 2500, memoryLimit: 262_144 }
  expect(limitsText([larger, subtask])).toBe('1000–2500 ms, 64–256 MB')
})
