/** Groups of people with the same mistake: rows → contract. */
import { firstCompileError } from '#contract/compile-errors'
import type { MistakeGroup } from '#contract/mistakes'
import { firstFailure, STATUS, verdict, type SubtaskResult } from '#contract/verdicts'
import { secondsOfId } from '../../lib/ids.ts'

/** Submissions of a group that staff see side by side. */
const EXAMPLES = 3

/** The last failing try of a person. */
interface Try {
  mistake: string
  submissionId: string
  isSolved: boolean
  isSolvedSince: boolean
}

/** People whose tries made the same mistake. */
interface Group {
  mistake: string
  merged: string[]
  people: number
  solved: number
  unsolved: number
  since: number
  examples: string[]
}

/** The position in the list of groups. */
type Position = readonly [people: number, mistake: string]

/** How the example of a group went. `status`: of the submission; `judged`: null if the details are lost. */
export interface Example {
  status: number
  judged: { subtasks: SubtaskResult[] | null; compileMessage: string | null } | null
}

/** The larger one first; of equal ones that with the smaller mistake. */
function compare(left: Position, right: Position): number {
  return right[0] - left[0] || (left[1] < right[1] ? -1 : Number(left[1] > right[1]))
}

const positionOf = ({ people, mistake }: Group): Position => [people, mistake]

/** A group of these tries. */
function toGroup(mistake: string, merged: string[], tries: Try[]): Group {
  const own = tries.filter((one) => one.mistake === mistake)
  const ids = tries.map(({ submissionId }) => submissionId).toSorted()
  // Programs side by side should have failed in the same way, where there are such.
  const alike = own.length > 0 ? own.map(({ submissionId }) => submissionId) : ids
  return {
    mistake,
    merged,
    people: tries.length,
    solved: tries.filter(({ isSolvedSince }) => isSolvedSince).length,
    unsolved: tries.filter(({ isSolved }) => !isSolved).length,
    since: secondsOfId(ids[0] ?? ''),
    examples: alike.toSorted().toReversed().slice(0, EXAMPLES),
  }
}

/**
 * All groups of a problem, largest first.
 * @param merged the mistakes that count to another one
 */
export function toGroups(
  tries: readonly Try[],
  merged: readonly { mistake: string; into: string }[],
): Group[] {
  const into = new Map(merged.map((one) => [one.mistake, one.into]))
  const mergedInto = Map.groupBy(merged, (one) => one.into)
  const byMistake = Map.groupBy(tries, ({ mistake }) => into.get(mistake) ?? mistake)
  return [...byMistake]
    .map(([mistake, own]) => {
      const others = mergedInto.get(mistake) ?? []
      return toGroup(mistake, others.map((one) => one.mistake).toSorted(), own)
    })
    .toSorted((left, right) => compare(positionOf(left), positionOf(right)))
}

/** A page of groups after a position, and the position that the next page starts after; null: there is none. */
export function pageOfGroups(groups: readonly Group[], after: Position | undefined, size: number) {
  const rest = after ? groups.filter((group) => compare(after, positionOf(group)) < 0) : groups
  const page = rest.slice(0, size)
  const last = page.at(-1)
  return { page, next: rest.length > size && last ? positionOf(last) : null }
}

/** Group → contract. Null while the example is judged anew. */
export function toMistakeGroup(
  group: Group,
  { status: stored, judged }: Example,
): MistakeGroup | null {
  const status = verdict.safeParse(stored).data
  if (status === undefined) return null
  const failure = firstFailure(judged?.subtasks ?? [])
  const message = status === STATUS.CE ? (judged?.compileMessage ?? null) : null
  return {
    ...group,
    status,
    failed: failure && { task: failure.task, case: failure.case },
    end: failure?.end ?? null,
    compileError: message === null ? null : firstCompileError(message),
  }
}
