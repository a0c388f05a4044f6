import { lazy, type ReactNode } from 'react'
import { LATE_DAY_LIMITS } from '#contract/limits'
import type { ProblemHomework } from '#contract/problems'
import { useServerNow } from '../../lib/live/use-server-now.ts'
import { FallbackBoundary } from '../feedback/fallback-boundary.tsx'

const LateDates = lazy(async () => ({ default: (await import('./late-dates.tsx')).LateDates }))

/** The most by which late days can move a closing time. */
const MOST_SECONDS = LATE_DAY_LIMITS.mostEach * 86_400

export interface WithLateDatesProps {
  homeworks: readonly ProblemHomework[]
  children: (homeworks: readonly ProblemHomework[]) => ReactNode
}

/** Gives its children a problem's homeworks; those past due get the closing times that the user's late days give, once they are read. */
export function WithLateDates({ homeworks, children }: WithLateDatesProps): ReactNode {
  const now = useServerNow() / 1000
  const mayClose = homeworks.some(
    ({ own }) => !own.excused && own.due < now && now <= own.closes + MOST_SECONDS,
  )
  const plain = children(homeworks)
  if (!mayClose) return plain
  return (
    <FallbackBoundary fallback={plain} loading={plain}>
      <LateDates homeworks={homeworks}>{children}</LateDates>
    </FallbackBoundary>
  )
}
