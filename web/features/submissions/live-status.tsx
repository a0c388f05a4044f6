import { Box, Group, Text, VisuallyHidden } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { QUEUE_POSITION_MOST, TOTAL_SCORE } from '#contract/limits'
import type { JudgingProgress, SubmissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { ScoreText } from '../../components/judging/score-text.tsx'
import { VerdictBadge } from '../../components/judging/verdict-badge.tsx'
import { isOnlyUnscored } from './case-advice.ts'
import { GrowingCases, JudgedCases } from './case-strip.tsx'
import { subtasksRun } from './output-rules.ts'
import { roughWait } from './waiting-text.ts'

/** The place in the queue, which the API counts up to a limit, and the estimated wait. */
function queuedText(t: TFunction, { position, estimateSeconds }: JudgingProgress): string {
  if (position === undefined) return t('submission.waiting')
  if (estimateSeconds === undefined || estimateSeconds === null)
    return t('submission.queued', { position })
  const { key, ...count } = roughWait(estimateSeconds)
  const wait = t(`submission.${key}`, count)
  return position < QUEUE_POSITION_MOST
    ? t('submission.queuedFor', { position, wait })
    : t('submission.queuedBeyond', { position: position - 1, wait })
}

/** The progress of judging in words. */
function useProgressText(): (progress: JudgingProgress | null) => string {
  const { t } = useTranslation()
  return function text(progress) {
    if (progress === null) return t('submission.waiting')
    switch (progress.phase) {
      case 'queued':
        return queuedText(t, progress)
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

/** What the verdict means. */
function helpText(t: TFunction, submission: SubmissionDetail): string {
  const { status, judgements } = submission
  if (status === STATUS.JE && judgements[0]?.state === 'cancelled')
    return t('cancelJudging.cancelled')
  return t(isOnlyUnscored(submission) ? 'submission.onlyUnscoredHelp' : `verdict.help.${status}`)
}

/** The verdict, or the progress of judging. Screen readers announce the verdict when it arrives. */
export function LiveStatus({ submission }: { submission: SubmissionDetail }) {
  const { t } = useTranslation()
  const progressText = useProgressText()
  const { status, score, progress } = submission
  const pending = status === STATUS.PENDING
  const subtasks = subtasksRun(submission)
  return (
    <Group className="app-card" gap="10px 18px" mih={76} mb={16} px={22} py={16}>
      <VisuallyHidden>
        <output>
          {pending
            ? t('submission.announcePending')
            : t('submission.announce', {
                verdict: t(`verdict.name.${status}`),
                score,
                full: TOTAL_SCORE,
              })}
        </output>
      </VisuallyHidden>
      <VerdictBadge status={status} large />
      {pending ? (
        <>
          <Text fz="0.9063rem" c="dimmed">
            {progressText(progress)}
          </Text>
          {progress?.phase === 'running' && progress.total > 0 ? (
            <GrowingCases {...progress} />
          ) : null}
        </>
      ) : (
        <>
          <Text fz="0.9063rem" c="dimmed">
            {helpText(t, submission)}
          </Text>
          <Box component="span" ml="auto" className="app-figure">
            <ScoreText score={score} />
          </Box>
          {subtasks ? <JudgedCases subtasks={subtasks} /> : null}
        </>
      )}
    </Group>
  )
}
