import type { TFunction } from 'i18next'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { homeworkStatusAt } from '#contract/homeworks'
import type { ProblemHomework } from '#contract/problems'
import { useServerNow } from '../../lib/live/use-server-now.ts'
import { FallbackBoundary } from '../feedback/fallback-boundary.tsx'
import { countsSentence, lateNowSentence } from './late-rule.ts'
import { WithLateDates } from './with-late-dates.tsx'

const LateDaysNow = lazy(async () => ({
  default: (await import('./late-days-now.tsx')).LateDaysNow,
}))

/** What a late submission counts now, and which submission counts where that is not clear from it. */
function linesOf(homework: ProblemHomework, now: number, t: TFunction) {
  const isClosed = now > homework.own.closes
  const late = isClosed ? t('lateDays.onlyNow') : lateNowSentence(homework, now, t)
  const isSaid = late === null || homework.counts === 'last'
  return {
    id: homework.id,
    name: homework.name,
    late,
    counts: isSaid ? countsSentence(homework, t) : null,
  }
}

interface WhatCountsProps {
  homeworks: readonly ProblemHomework[]
}

/** What a submission counts now in the homeworks that run; with their names where that differs between them. */
export function WhatCounts({ homeworks }: WhatCountsProps) {
  const now = Math.floor(useServerNow() / 1000)
  const isRunning = ({ own }: ProblemHomework) =>
    !own.excused && homeworkStatusAt(own, now) === 'running'
  return (
    <WithLateDates homeworks={homeworks}>
      {(dated) => {
        const running = new Set(dated.filter(isRunning).map(({ id }) => id))
        return <Lines homeworks={homeworks.filter(({ id }) => running.has(id))} now={now} />
      }}
    </WithLateDates>
  )
}

function Lines({ homeworks, now }: WhatCountsProps & { now: number }) {
  const { t } = useTranslation()
  const lines = homeworks.map((homework) => linesOf(homework, now, t))
  const groups = Map.groupBy(lines, ({ late, counts }) => `${late} ${counts}`)
  return [...groups].map(([key, same]) => (
    <div key={key}>
      {groups.size > 1 ? `${same.map(({ name }) => name).join(', ')}: ` : null}
      {same[0]?.late == null ? null : <strong>{same[0].late} </strong>}
      {same[0]?.counts}
      {same.map(({ id, late }) =>
        late === null ? null : (
          <FallbackBoundary key={id} fallback={null}>
            <LateDaysNow homeworkId={id} />
          </FallbackBoundary>
        ),
      )}
    </div>
  ))
}
