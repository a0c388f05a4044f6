/** Tests that students cannot see stay hidden until staff say that they may see them. */
import type { ProblemForm, Subtask } from '#contract/problems'
import { AppError } from '../../http/errors.ts'

/** A stored subtask, by position. `hasSubmissions` is of its problem. */
export interface StoredSubtask extends Pick<Subtask, 'caseCount' | 'taskScore' | 'sample'> {
  hasSubmissions: boolean
}

/**
 * The positions of subtasks that become samples. Those that were samples do so anew where their number of cases, or
 * that of the subtasks, changes: then other cases may stand there.
 */
function newSamples(stored: StoredSubtask[], { testCase }: ProblemForm): number[] {
  return testCase.flatMap(({ sample, caseCount }, position) => {
    const before = stored[position]
    const isSame = stored.length === testCase.length && before?.caseCount === caseCount
    return sample && !(isSame && before.sample) ? [position] : []
  })
}

/** The form to store: where test data follow, what becomes samples waits for them. */
export function withWaitingSamples(stored: StoredSubtask[], form: ProblemForm): ProblemForm {
  if (!form.awaitsTestData) return form
  const waiting = new Set(newSamples(stored, form))
  const testCase = form.testCase.map((subtask, position) =>
    waiting.has(position) ? { ...subtask, sample: false, becomesSample: true } : subtask,
  )
  return { ...form, testCase }
}

/**
 * Refuses a form that shows tests to students unless it says `revealTests`. Asked is only about
 * - subtasks that become samples where there are submissions, whose kept outputs might be seen at once
 * - a form that hides none, unless none was hidden before
 *
 * Subtasks that were samples before are named only where no other becomes one.
 * @param stored the subtasks so far; none of a new problem
 * @throws AppError `reveals_tests`
 */
export function demandHidden(stored: StoredSubtask[], form: ProblemForm): void {
  if (form.revealTests) return
  const samples = form.testCase.flatMap(({ sample }, position) => (sample ? [position] : []))
  const added = newSamples(stored, form)
  const hidesNone = samples.length === form.testCase.length
  const hidNone = stored.length > 0 && stored.every(({ sample }) => sample)
  const hasSubmissions = stored[0]?.hasSubmissions ?? false
  if ((hidesNone && !hidNone) || (hasSubmissions && added.length > 0))
    throw new AppError('reveals_tests', { subtasks: added.length > 0 ? added : samples })
}
