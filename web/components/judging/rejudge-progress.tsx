import { Button, Group, Progress } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import * as z from 'zod'
import { operationStarted, type OperationStatus } from '#contract/operations'
import { isNotFound } from '../../lib/api/api-error.ts'
import { apiPath, callApi } from '../../lib/api/api.ts'
import { askToConfirm } from '../../lib/confirm.ts'
import { operationQuery, useKnownOperation } from '../../lib/queries/operations.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { Announced } from '../feedback/announced.tsx'
import { FormError } from '../forms/form-error.tsx'
import classes from './rejudge-progress.module.css'

/** How many a cancelled rejudge has taken back. */
function takenBackOf(result: unknown): number {
  return z.object({ takenBack: z.int() }).safeParse(result).data?.takenBack ?? 0
}

interface CancelRejudgeProps {
  operationId: string
  /** It is sure: the button goes. */
  onCancel: () => void
}

/** The button that cancels a rejudge, while there is something to take back. */
function CancelRejudge({ operationId, onCancel }: CancelRejudgeProps) {
  const { t } = useTranslation()
  const cancel = useMutation({
    mutationFn: () =>
      callApi(apiPath`/jobs/${operationId}/cancel`, operationStarted, { method: 'POST' }),
    onSuccess: () => refresh(operationQuery(operationId).queryKey),
  })

  async function askAndCancel() {
    const isSure = await askToConfirm({
      title: t('rejudge.cancelQuestion.title'),
      text: t('rejudge.cancelQuestion.text'),
      label: t('rejudge.cancel'),
      keepLabel: t('rejudge.cancelQuestion.keep'),
      isHarmless: true,
    })
    if (!isSure) return
    cancel.mutate()
    onCancel()
  }

  return (
    <>
      <FormError error={cancel.error} />
      <Button
        size="xs"
        variant="default"
        loading={cancel.isPending}
        onClick={() => void askAndCancel()}
      >
        {t('rejudge.cancel')}
      </Button>
    </>
  )
}

function useOperationText(): (operation: OperationStatus) => string {
  const { t } = useTranslation()
  return function text({ state, done, total, cancelled, result, lostCount = 0 }) {
    if (cancelled && state === 'running') return t('rejudge.takingBack')
    if (state === 'running') return t('rejudge.running', { done, total })
    const lost = lostCount === 0 ? [] : [t('rejudge.lost', { count: lostCount })]
    const withLost = (outcome: string) => [outcome, ...lost].join(' ')
    if (cancelled) return withLost(t('rejudge.cancelled', { count: takenBackOf(result) }))
    if (state === 'failed') return withLost(t('rejudge.failed', { done, total }))
    if (done === 0) return lost[0] ?? t('rejudge.nothing')
    return withLost(t('rejudge.done', { count: done }))
  }
}

interface RejudgeProgressProps {
  /** The same as of `RejudgeAll`. */
  path: string
  /** The list of submissions that wait for their verdict. */
  waitingAt: string
}

/** The progress of the newest bulk rejudge of a problem or homework, if any. */
export function RejudgeProgress({ path, waitingAt }: RejudgeProgressProps) {
  const { t } = useTranslation()
  const operationText = useOperationText()
  const box = useRef<HTMLDivElement>(null)
  const { operationId, know } = useKnownOperation(path)
  const operation = useQuery({
    ...operationQuery(operationId ?? ''),
    enabled: operationId !== null,
  })
  const isGone = isNotFound(operation.error)
  useEffect(() => {
    // The server forgets old operations: stop asking.
    if (isGone) know(null)
  })
  if (operationId === null || operation.data === undefined) return null
  const { state, done, total, waiting = 0, cancelled = false } = operation.data
  const isOver = state !== 'running'
  return (
    <div ref={box} tabIndex={-1} className={classes.box} data-state={state}>
      <Announced when={isOver || cancelled} className={classes.text}>
        {operationText(operation.data)}
      </Announced>
      {/* Submissions taken back are not counted. */}
      {isOver || cancelled ? null : (
        <Progress
          flex="1 1 160px"
          value={total === 0 ? 0 : (done / total) * 100}
          aria-label={t('rejudge.title')}
        />
      )}
      <Group component="span" gap={8} ml="auto">
        {!cancelled && (!isOver || waiting > 0) ? (
          <CancelRejudge operationId={operationId} onCancel={() => box.current?.focus()} />
        ) : null}
        {isOver && done > 0 ? (
          <Button component={Link} to={waitingAt} size="xs" variant="default">
            {t('rejudge.waiting')}
          </Button>
        ) : null}
        {isOver ? (
          <Button
            size="xs"
            variant="subtle"
            onClick={() => {
              know(null)
              // The button is gone: the keyboard goes on with the page.
              document.getElementById('main')?.focus({ preventScroll: true })
            }}
          >
            {t('rejudge.dismiss')}
          </Button>
        ) : null}
      </Group>
      {isOver ? null : <span className={classes.hint}>{t('rejudge.goesOn')}</span>}
    </div>
  )
}
