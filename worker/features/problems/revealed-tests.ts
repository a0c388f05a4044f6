/** Hidden tests stay hidden until staff say that students may see them. */
import type { ProblemForm, Subtask } from '#contract/problems'
import { AppError } from '../../http/errors.ts'

/** A stored subtask, by position. `hasSubmissions`: whether its problem has any. */
export interface StoredSubtask extends Pick<Subtask, 'caseCount' | 'taskScore' | 'sample'> {
  hasSubmissions: boolean
}

/**
 * The positions of subtasks that become samples. A subtask that was a sample counts again if its number of cases or the number
 * of subtasks changes, because it may then hold other cases.
 */
function newSamples(stored: StoredSubtask[], { testCase }: ProblemForm): number[] {
  return testCase.flatMap(({ sample, caseCount }, position) => {
    const before = stored[position]
    const isSame = stored.length === testCase.length && before?.caseCount === caseCount
    return sample && !(isSame && before.sample) ? [position] : []
  })
}

/** The form to store. If test data are uploaded next, new samples are shown only once that upload is complete. */
export function withWaitingSamples(stored: StoredSubtask[], form: ProblemForm): ProblemForm {
  if (!form.awaitsTestData) return form
  const waiting = new Set(newSamples(stored, form))
  const testCase = form.testCase.map((subtask, position) =>
    waiting.has(position) ? { ...subtask, sample: false, becomesSample: true } : subtask,
  )
  return { ...form, testCase }
}

/**
 * Refuses a form that shows tests to students unless it says `revealTests`. Two kinds of forms show tests:
 * - A form turns subtasks into samples although the problem has submissions, whose kept outputs might be seen at once.
 * - A form hides no subtask, although the stored problem hides one or the problem is new.
 *
 * The refusal names subtasks that were samples before only if no other subtask becomes one.
 * @param stored the subtasks so far; empty for a new problem
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
