import { Progress, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TOTAL_SCORE } from '#contract/limits'
import type { JudgingProgress, SubmissionDetail } from '#contract/submissions'
import { STATUS, STATUS_NAMES } from '#contract/verdicts'
import { VerdictBadge } from '../../components/verdict-badge.tsx'
import classes from './submission-page.module.css'

/** The progress of judging in words. */
function useProgressText(): (progress: JudgingProgress | null) => string {
  const { t } = useTranslation()
  return function text(progress) {
    if (progress === null) return t('submission.waiting')
    switch (progress.phase) {
      case 'queued':
        return progress.position === undefined
          ? t('submission.waiting')
          : t('submission.queued', { position: progress.position })
      case 'compiling':
        return t('submission.compiling')
      case 'running':
        return t('submission.running', {
          case: Math.min(progress.done + 1, progress.total),
          total: progress.total,
        })
    }
  }
}

/** The verdict, or the progress of judging. Screen readers announce the verdict when it arrives. */
export function LiveStatus({ submission }: { submission: SubmissionDetail }) {
  const { t } = useTranslation()
  const progressText = useProgressText()
  const { status, score, progress } = submission
  const pending = status === STATUS.PENDING
  return (
    <div className={`app-card ${classes.live}`}>
      <VisuallyHidden>
        <output>
          {pending
            ? t('submission.announcePending')
            : t('submission.announce', { verdict: STATUS_NAMES[`${status}`], score })}
        </output>
      </VisuallyHidden>
      <VerdictBadge status={status} large />
      {pending ? (
        <>
          <p className={classes.help}>{progressText(progress)}</p>
          {progress?.phase === 'running' && progress.total > 0 ? (
            <Progress
              className={classes.progress}
              value={(progress.done / progress.total) * 100}
              aria-label={t('submission.progress')}
            />
          ) : null}
        </>
      ) : (
        <>
          <p className={classes.help}>{t(`verdict.help.${status}`)}</p>
          <span className={classes.score}>
            {score} <small>/ {TOTAL_SCORE}</small>
          </span>
        </>
      )}
    </div>
  )
}
