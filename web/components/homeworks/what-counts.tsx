import { useTranslation } from 'react-i18next'
import { homeworkStatusAt } from '#contract/homeworks'
import type { ProblemHomework } from '#contract/problems'
import { useServerNow } from '../../lib/live/use-server-now.ts'
import { countsSentence, lateNowSentence } from './late-rule.ts'

/** What a submission counts now in the homeworks that run: a line for each, with its name if there are several. */
export function WhatCounts({ homeworks }: { homeworks: readonly ProblemHomework[] }) {
  const { t } = useTranslation()
  const now = Math.floor(useServerNow() / 1000)
  const running = homeworks.filter(
    ({ own }) => !own.excused && homeworkStatusAt(own, now) === 'running',
  )
  return running.map((homework) => {
    const lateNow = lateNowSentence(homework, now, t)
    const isSaid = lateNow === null || homework.counts === 'last'
    return (
      <div key={homework.id}>
        {running.length > 1 ? `${homework.name}: ` : null}
        {lateNow === null ? null : <strong>{lateNow} </strong>}
        {isSaid ? countsSentence(homework, t) : null}
      </div>
    )
  })
}
