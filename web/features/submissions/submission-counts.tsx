import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TOTAL_SCORE } from '#contract/limits'
import type { SubmissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { isPlain } from '../../components/homeworks/late-rule.ts'
import { derivationOf } from '../../components/homeworks/mark-derivation.ts'
import { useLocale } from '../../lib/format/i18n.ts'
import { LOCALES } from '../../lib/format/locale.ts'
import { problemQuery } from '../../lib/queries/problems.ts'
import { useSession } from '../../lib/session/session.ts'

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
    .filter((homework) => !isPlain(homework) || homework.points !== TOTAL_SCORE)
    .map((homework) => {
      const derivation = derivationOf({ at: timestamp, score }, homework, t, dateTag)
      return derivation && <p key={homework.id}>{`${homework.name}: ${derivation}`}</p>
    })
}
