/** The limits of a sample run; each of its inputs is a subtask of one case. */
import { withFactors, type Language } from '#contract/languages'
import { RUNS } from '#contract/limits'
import type { Subtask } from '#contract/problems'

/**
 * The subtask of an input in a language: the largest limits of the problem, as far as `RUNS` allows.
 * @param limits of the problem's subtasks
 */
export function runSubtask(
  limits: readonly Pick<Subtask, 'timeLimit' | 'memoryLimit' | 'outputLimit'>[],
  language: Language,
): Subtask {
  const largest = (key: 'timeLimit' | 'memoryLimit' | 'outputLimit') =>
    Math.max(0, ...limits.map((each) => each[key]))
  const { timeLimit, memoryLimit } = withFactors(
    { timeLimit: largest('timeLimit'), memoryLimit: largest('memoryLimit') },
    language,
  )
  return {
    caseCount: 1,
    sample: true,
    taskScore: 0,
    timeLimit: Math.min(timeLimit, RUNS.timeMs),
    memoryLimit,
    outputLimit: Math.min(largest('outputLimit'), RUNS.outputKb),
  }
}
