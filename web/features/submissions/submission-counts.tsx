import { useQuery } from '@tanstack/react-query'
import type { RunningHomework } from '#contract/homeworks'
import type { SubmissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { isPlain } from '../../components/homeworks/late-rule.ts'
import { MarkDerivation } from '../../components/homeworks/mark-derivation.tsx'
import { runningHomeworksQuery } from '../../lib/queries/homeworks.ts'
import { useSession } from '../../lib/session/session.ts'

/** The rules of a homework for one of its problems; null if it counts the plain score of the problem, or has no such problem. */
function termsOf(homework: RunningHomework, problemId: number) {
  const { own, lateRule, counts, courseCounts } = homework
  const points = homework.points[homework.problemIds.indexOf(problemId)]
  if (points === undefined || own.excused) return null
  const terms = { own, lateRule, counts: counts ?? courseCounts, points }
  return isPlain(terms) && points === 100 ? null : terms
}

/** What the user's own submission counts in each homework that runs, step by step. */
export function SubmissionCounts({ submission }: { submission: SubmissionDetail }) {
  const { user } = useSession()
  const { status, score, timestamp, problemId, course } = submission
  const isScored = status >= 0 && status !== STATUS.JE
  const enabled = isScored && submission.user.username === user?.username
  const { data } = useQuery({ ...runningHomeworksQuery, enabled })
  if (!enabled) return null
  return data
    ?.filter((homework) => homework.course === course)
    .map((homework) => {
      const terms = termsOf(homework, problemId)
      return terms === null ? null : (
        <p key={homework.id}>
          {homework.name}: <MarkDerivation submission={{ at: timestamp, score }} homework={terms} />
        </p>
      )
    })
}
