import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { arrivalOf } from '#contract/homework-dates'
import { TOTAL_SCORE } from '#contract/limits'
import type { ProblemHomework } from '#contract/problems'
import type { SubmissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { isPlain } from '../../components/homeworks/late-rule.ts'
import { lateDaysIn } from '../../components/homeworks/late-days.ts'
import { derivationWithDays } from '../../components/homeworks/mark-derivation.ts'
import { useLocale } from '../../lib/format/i18n.ts'
import { LOCALES } from '../../lib/format/locale.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { lateDaysQuery } from '../../lib/queries/late-days.ts'
import { problemQuery } from '../../lib/queries/problems.ts'
import { useSession } from '../../lib/session/session.ts'

/** What the user's own submission counts, step by step, in each homework in which that is not just its score. */
export function SubmissionCounts({ submission }: { submission: SubmissionDetail }) {
  const { t } = useTranslation()
  const { dateTag } = LOCALES[useLocale()]
  const { user } = useSession()
  const { course } = useCourse()
  const { status, score, timestamp, problemId } = submission
  const isScored = status >= 0 && status !== STATUS.JE && score > 0
  const enabled = isScored && submission.user.username === user?.username
  const { data } = useQuery({ ...problemQuery(problemId), enabled })
  const homeworks = enabled ? (data?.homeworks ?? []).filter(({ own }) => !own.excused) : []
  const isLate = homeworks.some(({ own }) => arrivalOf(timestamp, own) !== 'inTime')
  const table = useQuery({ ...lateDaysQuery(course), enabled: isLate })
  const daysIn = ({ id }: ProblemHomework) => lateDaysIn(table.data, id, user?.username)
  return homeworks
    .filter((homework) => !isPlain(homework) || homework.points !== TOTAL_SCORE || daysIn(homework))
    .map((homework) => {
      const late = daysIn(homework)
      const days = { used: late?.days.used ?? 0, movesClosing: late?.rule.movesClosing ?? false }
      const derivation = derivationWithDays({ at: timestamp, score }, homework, days, t, dateTag)
      return derivation && <p key={homework.id}>{`${homework.name}: ${derivation}`}</p>
    })
}
