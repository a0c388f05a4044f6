/**
 * The parts of a state that a step of the judging protocol looks at. Steps with equal footprints have equal effects, so the
 * search takes only one of these steps; where it takes more, it checks that the effects are equal.
 */
import { BOTH, currentJobs, type Index, type Rows, type World } from './rows.ts'
import type { Step } from './steps.ts'

/** The effect of a step. `forms`: the new forms of the submissions; null if unchanged. `claimed`: the submission whose job was claimed. */
export interface Effect {
  forms: readonly [string | null, string | null]
  isSecondFirst: boolean
  claimed: Index | null
}

export type Forms = readonly [string, string]

/** A job as a claim sees it; a job that another runner holds could have any form. */
function seenByClaim(world: World, rows: Rows, forms: Forms, index: Index): string {
  const { isOpen, until, runner } = currentJobs(world, rows)[index]
  if (!isOpen) return 'over'
  return until === 'runs' ? `taken by ${runner}` : forms[index]
}

/** The footprints of a step: one for each submission if the step treats each by itself. */
export function footprintsOf(
  world: World,
  rows: Rows,
  forms: Forms,
  isSecondFirst: boolean,
  step: Step,
): [string] | [string, string] {
  const ofEach = (what: (index: Index) => string): [string, string] => [
    `${step.kind} ${what(0)} 0 ${forms[0]}`,
    `${step.kind} ${what(1)} 1 ${forms[1]}`,
  ]
  if (step.kind === 'sweep' || step.kind === 'leases and rests end') return ofEach(() => '')
  if (step.kind === 'heartbeat')
    return ofEach((index) => `${step.runner} ${step.started} ${step.names.includes(index)}`)
  const seen =
    step.kind === 'claim'
      ? BOTH.map((index) => seenByClaim(world, rows, forms, index)).join(' | ')
      : `${forms[step.of]} ${currentJobs(world, rows)[step.of === 0 ? 1 : 0].isOpen}`
  return [`${JSON.stringify(step)} ${seen} ${isSecondFirst}`]
}
