import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { arrivalOf } from '#contract/homework-dates'
import { TOTAL_SCORE } from '#contract/limits'
import type { SubmissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { FallbackBoundary } from '../../components/feedback/fallback-boundary.tsx'
import { isPlain } from '../../components/homeworks/late-rule.ts'
import { derivationOf } from '../../components/homeworks/mark-derivation.ts'
import { useLocale } from '../../lib/format/i18n.ts'
import { LOCALES } from '../../lib/format/locale.ts'
import { problemQuery } from '../../lib/queries/problems.ts'
import { useSession } from '../../lib/session/session.ts'

const LateCounts = lazy(async () => ({
  default: (await import('./late-counts.tsx')).LateCounts,
}))

/** What the user's own submission counts, step by step, in each homework in which that is not just its score. */
export function SubmissionCounts({ submission }: { submission: SubmissionDetail }) {
  const { t } = useTranslation()
  const { dateTag } = LOCALES[useLocale()]
  const { user } = useSession()
  const { status, score, timestamp, problemId } = submission
  const isScored = status >= 0 && status !== STATUS.JE && score > 0
  const enabled = isScored && submission.user.username === user?.username
  const { data } = useQuery({ ...problemQuery(problemId), enabled })
  if (!enabled) return null
  return data?.homeworks
    .filter((homework) => !homework.own.excused)
    .map((homework) => {
      const { id, own, name, points } = homework
      const isJustScore = isPlain(homework) && points === TOTAL_SCORE
      const scored = { at: timestamp, score }
      const derivation = isJustScore ? null : derivationOf(scored, homework, t, dateTag)
      const early = derivation && <p key={id}>{`${name}: ${derivation}`}</p>
      if (arrivalOf(timestamp, own) === 'inTime') return early
      return (
        <FallbackBoundary key={id} fallback={early}>
          <LateCounts {...{ homework, scored }}>{early}</LateCounts>
        </FallbackBoundary>
      )
    })
}
