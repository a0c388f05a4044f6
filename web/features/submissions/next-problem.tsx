import { Anchor } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { SubmissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { LinkButton } from '../../components/page/link-button.tsx'
import { markOfProgress } from '../../lib/format/marks.ts'
import { runningHomeworksQuery } from '../../lib/queries/homeworks.ts'
import { useSession } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'

/** The next step after the user's own accepted submission; null if no running homework has the problem. */
export function useNextProblem(submission: SubmissionDetail | undefined) {
  const { user } = useSession()
  const isSolved = submission?.status === STATUS.AC && submission.user.username === user?.username
  const { data } = useQuery({ ...runningHomeworksQuery, enabled: isSolved, staleTime: 0 })
  if (!isSolved || user === null) return null
  const { course, problemId } = submission
  const homework = data?.find(
    ({ course: of, problemIds }) => of === course && problemIds.includes(problemId),
  )
  if (homework === undefined) return null
  const own = homework.studentStatus.get(user.username) ?? {}
  const { problems } = homework
  const at = problems.findIndex((problem) => problem.problemId === problemId)
  // After the last problem comes the first.
  const left = [...problems.slice(at + 1), ...problems.slice(0, at)].filter(
    (problem) => markOfProgress(own[problem.problemId]) !== 'solved',
  )
  const count = problems.length
  return { homework, next: left[0] ?? null, solved: count - left.length, count }
}
export type NextProblem = NonNullable<ReturnType<typeof useNextProblem>>

/** The button to the next problem, or back to the homework when all are solved. */
export function NextButton({ of: { homework, next } }: { of: NextProblem }) {
  const { t } = useTranslation()
  return (
    <LinkButton
      to={next ? paths.problem(homework.course, next.problemId) : paths.homeworks(homework.course)}
      Icon={IconArrowRight}
      label={
        next
          ? t('submission.nextProblem', { name: `#${next.problemId} ${next.problemName}` })
          : t('submission.toHomework')
      }
      variant="filled"
    />
  )
}

/** The user's progress in the homework, with a link back to it. */
export function HomeworkProgress({ of: { homework, solved, count } }: { of: NextProblem }) {
  const { t } = useTranslation()
  return (
    <p>
      <Anchor component={Link} to={paths.homeworks(homework.course)} underline="always">
        {homework.name}
      </Anchor>
      {`: ${t('submission.solvedOf', { solved, count })}`}
    </p>
  )
}
