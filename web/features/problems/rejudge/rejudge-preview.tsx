import { Box, Button, Group, Progress } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PREVIEW } from '#contract/limits'
import type { Problem } from '#contract/problems'
import type { RejudgePreview } from '#contract/judging/rejudge-previews'
import { Announced } from '../../../components/feedback/announced.tsx'
import { ErrorBox } from '../../../components/feedback/error-box.tsx'
import { formatTime } from '../../../lib/format/format.ts'
import { refresh } from '../../../lib/api/query-client.ts'
import { applyPreview, dropPreview, previewQuery, startPreview } from '../api.ts'
import { PreviewChanges } from './preview-changes.tsx'
import classes from '../../../components/judging/rejudge-progress.module.css'

type Preview = NonNullable<RejudgePreview['preview']>

/** Reads the problem, its submissions and homeworks again once a preview ends or its applying does. */
function useRefreshAfter(problemId: number, preview: RejudgePreview['preview']): void {
  const stage = preview && `${preview.startedAt} ${preview.state === 'applying'}`
  useEffect(() => {
    if (stage === null) return
    return () => {
      void refresh(['problem', problemId], ['problems'], ['submissions'], ['homeworks'])
    }
  }, [stage, problemId])
}

interface BannerProps {
  problem: Problem
  rejudge: RejudgePreview
  /** The last thing done here was to apply a preview. */
  hasApplied: boolean
  onApplied: (hasApplied: boolean) => void
}

/** How many results there are of earlier test data; how far the preview is, and what it would change or has changed. */
function BannerText({ rejudge, hasApplied }: Pick<BannerProps, 'rejudge' | 'hasApplied'>) {
  const { t } = useTranslation()
  const { preview } = rejudge
  if (preview === null) {
    const count = rejudge.earlierCount ?? 0
    const isAll = count < PREVIEW.mostCounted
    const earlier = t(isAll ? 'preview.earlier' : 'preview.earlierMany', { count })
    if (!hasApplied) return earlier
    return count === 0 ? t('preview.applied') : `${t('preview.applied')} ${earlier}`
  }
  const { state, total, done, changedCount, keptCount, lostCount } = preview
  if (state === 'outdated') return t(hasApplied ? 'preview.partly' : 'preview.outdated')
  if (state === 'judging') return t('preview.judging', { done, total })
  if (state === 'applying') return t('preview.applying', { done, total })
  const changes =
    changedCount === 0
      ? t('preview.noChange')
      : t('preview.changes', { count: changedCount ?? 0, total })
  return [
    changes,
    ...(keptCount === 0 ? [] : [t('preview.kept', { count: keptCount ?? 0 })]),
    ...(lostCount === undefined ? [] : [t('rejudge.lost', { count: lostCount })]),
  ].join(' ')
}

/** What to know before the next step. */
function BannerHint({ problem, rejudge }: Pick<BannerProps, 'problem' | 'rejudge'>) {
  const { t } = useTranslation()
  const { preview, earlierCount } = rejudge
  if (preview?.state === 'applying' || (preview === null && earlierCount === 0)) return null
  const isOpen = preview !== null && preview.state !== 'outdated'
  if (isOpen) return t('preview.until', { time: formatTime(preview.expiresAt) })
  return t(problem.hasTestData ? 'preview.help' : 'preview.noTestData')
}

interface PreviewActionsProps {
  problem: Problem
  preview: RejudgePreview['preview']
  isBusy: boolean
  /** Runs a call, and reads the preview again. */
  onCall: (call: PreviewCall) => void
}

interface PreviewCall {
  call: (problemId: number) => Promise<unknown>
  applies: boolean
}

/** The buttons that begin, apply and drop a preview. */
function PreviewActions({ problem, preview, isBusy, onCall }: PreviewActionsProps) {
  const { t } = useTranslation()
  const mayStart = problem.hasTestData && (preview === null || preview.state === 'outdated')
  return (
    <>
      {preview?.state === 'ready' ? (
        <Button
          size="xs"
          loading={isBusy}
          onClick={() => onCall({ call: applyPreview, applies: true })}
        >
          {t('preview.apply')}
        </Button>
      ) : null}
      {mayStart ? (
        <Button
          size="xs"
          variant="default"
          loading={isBusy}
          onClick={() => onCall({ call: startPreview, applies: false })}
        >
          {t('preview.start')}
        </Button>
      ) : null}
      {preview && preview.state !== 'applying' ? (
        <Button
          size="xs"
          variant="subtle"
          disabled={isBusy}
          onClick={() => onCall({ call: dropPreview, applies: false })}
        >
          {t('preview.drop')}
        </Button>
      ) : null}
    </>
  )
}

/** Whether a preview that is judged has something to list. */
function hasChanges({ state, changedCount, keptCount }: Preview): boolean {
  return state === 'ready' && (changedCount ?? 0) + (keptCount ?? 0) > 0
}

/** The banner about results of earlier test data. */
function Banner({ problem, rejudge, hasApplied, onApplied }: BannerProps) {
  const { t } = useTranslation()
  const { problemId } = problem
  const { preview, earlierCount } = rejudge
  const [isListed, setIsListed] = useState(false)
  useRefreshAfter(problemId, preview)
  const action = useMutation({
    mutationFn: async ({ call }: PreviewCall) => call(problemId),
    onSuccess: (_, { applies }) => onApplied(applies),
    onSettled: () => refresh(['problem', problemId, 'preview']),
  })
  const hasList = preview !== null && hasChanges(preview)
  const isUnderWay = preview?.state === 'judging' || preview?.state === 'applying'
  return (
    <Box component="section" mt={12} className={classes.box} aria-label={t('preview.name')}>
      <Announced when={!isUnderWay} className={classes.text}>
        <BannerText rejudge={rejudge} hasApplied={hasApplied} />
      </Announced>
      {isUnderWay ? (
        <Progress
          flex="1 1 160px"
          value={preview.total === 0 ? 0 : (preview.done / preview.total) * 100}
          aria-label={t('preview.name')}
        />
      ) : null}
      <Group component="span" gap={8} ml="auto">
        {hasList ? (
          <Button
            size="xs"
            variant="default"
            aria-expanded={isListed}
            onClick={() => setIsListed(!isListed)}
          >
            {t(isListed ? 'preview.hide' : 'preview.show')}
          </Button>
        ) : null}
        {preview === null && earlierCount === 0 ? null : (
          <PreviewActions
            problem={problem}
            preview={preview}
            isBusy={action.isPending}
            onCall={action.mutate}
          />
        )}
      </Group>
      <span className={classes.hint}>
        <BannerHint problem={problem} rejudge={rejudge} />
      </span>
      <ErrorBox of={action} />
      {hasList && isListed ? <PreviewChanges problemId={problemId} /> : null}
    </Box>
  )
}

/** For staff: how many results are of earlier test data, and the preview of judging them again. */
export function RejudgePreviewBanner({ problem }: { problem: Problem }) {
  const [hasApplied, setHasApplied] = useState(false)
  const { data } = useQuery(previewQuery(problem.problemId))
  if (data === undefined) return null
  if (data.earlierCount === 0 && data.preview === null && !hasApplied) return null
  return (
    <Banner problem={problem} rejudge={data} hasApplied={hasApplied} onApplied={setHasApplied} />
  )
}
