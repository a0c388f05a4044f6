import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { languageOf } from '#contract/languages'
import type { SubmissionDetail } from '#contract/submissions'
import { Facts } from '../../components/display/facts.tsx'
import { Person } from '../../components/display/person.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { paths } from '../../paths.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { memoryText, timeText } from '../../lib/format/measures.ts'
import { shortId } from './short-id.ts'

/** Problem, user, time, memory, language and time of submission. */
export function SubmissionFacts({ submission }: { submission: SubmissionDetail }) {
  const { t } = useTranslation()
  const { may } = useCourse()
  const { course, problemId, problemName, user, ipAddr } = submission
  const facts = [
    {
      label: t('submission.problem'),
      value: (
        <Anchor component={Link} to={paths.problem(course, problemId)}>
          #{problemId} {problemName}
        </Anchor>
      ),
    },
    {
      label: t('submission.user'),
      value: <Person user={user} linkedIn={may('submission.readAll') ? course : undefined} />,
    },
    { label: t('submission.runTime'), value: timeText(submission.runTime) },
    { label: t('submission.memory'), value: memoryText(submission.memoryUsage) },
    { label: t('submission.language'), value: languageOf(submission.languageType).label },
    { label: t('submission.when'), value: <TimeText at={submission.timestamp} /> },
    {
      label: t('submission.id'),
      value: <span className="mono">{shortId(submission.submissionId)}</span>,
    },
  ]
  const address = { label: t('submission.ip'), value: <span className="mono">{ipAddr}</span> }
  return <Facts facts={ipAddr === undefined || ipAddr === '' ? facts : [...facts, address]} />
}
