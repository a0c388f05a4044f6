import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { languageOf } from '#contract/languages'
import type { SubmissionDetail } from '#contract/submissions'
import { TimeText } from '../../components/time-text.tsx'
import { paths } from '../../paths.ts'
import { memoryText, timeText } from '../../lib/measures.ts'
import classes from './submission-page.module.css'

/** Problem, user, time, memory, language and when. */
export function SubmissionFacts({ submission }: { submission: SubmissionDetail }) {
  const { t } = useTranslation()
  return (
    <dl className={`app-card ${classes.facts}`}>
      <div>
        <dt>{t('submission.problem')}</dt>
        <dd>
          <Anchor component={Link} to={paths.problem(submission.course, submission.problemId)}>
            #{submission.problemId} {submission.problemName}
          </Anchor>
        </dd>
      </div>
      <div>
        <dt>{t('submission.user')}</dt>
        <dd>{submission.user.displayedName || submission.user.username}</dd>
      </div>
      <div>
        <dt>{t('submission.runTime')}</dt>
        <dd>{timeText(submission.runTime)}</dd>
      </div>
      <div>
        <dt>{t('submission.memory')}</dt>
        <dd>{memoryText(submission.memoryUsage)}</dd>
      </div>
      <div>
        <dt>{t('submission.language')}</dt>
        <dd>{languageOf(submission.languageType).label}</dd>
      </div>
      <div>
        <dt>{t('submission.when')}</dt>
        <dd>
          <TimeText at={submission.timestamp} />
        </dd>
      </div>
      {submission.ipAddr === undefined ? null : (
        <div>
          <dt>{t('submission.ip')}</dt>
          <dd className="mono">{submission.ipAddr}</dd>
        </div>
      )}
    </dl>
  )
}
