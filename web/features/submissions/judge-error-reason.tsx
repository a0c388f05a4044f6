import { Anchor, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { SubmissionDetail } from '#contract/submissions'
import { paths } from '../../paths.ts'
import classes from './submission-page.module.css'

/** The reason of a Judge Error or of a failed checker, and what to do about it; for staff only. */
export function JudgeErrorReason({ submission }: { submission: SubmissionDetail }) {
  const { t } = useTranslation()
  const { course, problemId, judgements } = submission
  const [newest] = judgements
  const reason = newest?.reason
  if (!reason) return null
  return (
    <section className={classes.section}>
      <Title order={2}>{t('submission.reason')}</Title>
      <div className={`app-card ${classes.reason}`}>
        {/* Compilers point at columns: keep them aligned. */}
        <p className={reason.includes('\n') ? 'mono' : undefined}>{reason}</p>
        {newest.state === 'cancelled' ? null : (
          <p className={classes.advice}>
            {t('submission.reasonAdvice')}{' '}
            <Anchor
              component={Link}
              to={paths.editProblem(course, problemId)}
              inherit
              underline="always"
            >
              {t('problems.edit', { id: problemId })}
            </Anchor>
          </p>
        )}
      </div>
    </section>
  )
}
