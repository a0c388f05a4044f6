import { Button, Group, Progress } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationStatus } from '#contract/operations'
import { isNotFound } from '../../lib/api/api-error.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { formatTime } from '../../lib/format/format.ts'
import { operationQuery, useKnownOperation } from '../../lib/queries/operations.ts'
import { applyRejudge, cancelRejudge, resultOf } from '../../lib/queries/rejudges.ts'
import { Announced } from '../feedback/announced.tsx'
import { ErrorBox } from '../feedback/error-box.tsx'
import { RejudgeChanges } from './rejudge-changes.tsx'
import classes from './rejudge-panel.module.css'

/** The query keys of everything that shows results. */
const OF_RESULTS = [['problem'], ['problems'], ['submission'], ['submissions'], ['homeworks']]

interface Counts {
  changedCount: number | null
  keptCount: number | null
  lostCount: number
}

/** A rejudge's progress or outcome as text. */
function useRejudgeText(): (rejudge: OperationStatus) => string {
  const { t } = useTranslation()
  const withCounts = (text: string, { keptCount, lostCount }: Counts) =>
    [
      text,
      ...(keptCount ? [t('rejudge.kept', { count: keptCount })] : []),
      ...(lostCount > 0 ? [t('rejudge.lost', { count: lostCount })] : []),
    ].join(' ')
  return function text(operation) {
    const { state, done, total, rejudge } = operation
    if (state === 'failed') return t('rejudge.failed')
    const result = resultOf(operation)
    if (result && 'cancelled' in result) return t('rejudge.cancelled')
    if (result) {
      const { count, changedCount } = result
      if (count === 0 && result.lostCount > 0) return t('rejudge.lost', { count: result.lostCount })
      if (count === 0) return t('rejudge.nothing')
      const judged = t('rejudge.done', { count })
      const changed =
        changedCount === 0 ? t('rejudge.same') : t('rejudge.changed', { count: changedCount })
      return withCounts(`${judged} ${changed}`, result)
    }
    if (!rejudge || rejudge.phase === 'judging') return t('rejudge.judging', { done, total })
    if (rejudge.phase === 'applying') return t('rejudge.applying', { done, total })
    if (rejudge.phase === 'outdated') return t('rejudge.outdated')
    const count = rejudge.changedCount ?? 0
    const changes = count === 0 ? t('rejudge.noChange') : t('rejudge.changes', { count, total })
    return withCounts(changes, rejudge)
  }
}

type Act = (operationId: string) => Promise<unknown>

interface ActionsProps {
  /** The phase of the rejudge; `over` once it has ended. */
  phase: string
  isPending: boolean
  onAct: (act: Act) => void
  onDismiss: () => void
}

/** What can be done with a rejudge. */
function Actions({ phase, isPending, onAct, onDismiss }: ActionsProps) {
  const { t } = useTranslation()
  if (phase === 'applying') return null
  if (phase === 'over')
    return (
      <Button size="xs" variant="subtle" onClick={onDismiss}>
        {t('rejudge.dismiss')}
      </Button>
    )
  return (
    <>
      {phase === 'ready' ? (
        <Button size="xs" loading={isPending} onClick={() => onAct(applyRejudge)}>
          {t('rejudge.apply')}
        </Button>
      ) : null}
      <Button size="xs" variant="subtle" disabled={isPending} onClick={() => onAct(cancelRejudge)}>
        {t('rejudge.cancel')}
      </Button>
    </>
  )
}

/** When students see the new results. */
function Hint({ phase, expiresAt }: { phase: string; expiresAt: number | null }) {
  const { t } = useTranslation()
  if (phase !== 'judging' && phase !== 'ready') return null
  const text =
    expiresAt === null ? t('rejudge.goesOn') : t('rejudge.until', { time: formatTime(expiresAt) })
  return <span className={classes.hint}>{text}</span>
}

interface OpenPanelProps {
  operation: OperationStatus
  operationId: string
  onDismiss: () => void
}

function OpenPanel({ operation, operationId, onDismiss }: OpenPanelProps) {
  const { t } = useTranslation()
  const text = useRejudgeText()
  const [isListed, setIsListed] = useState(false)
  const box = useRef<HTMLElement>(null)
  const { state, done, total, rejudge } = operation
  const phase = state === 'running' ? (rejudge?.phase ?? 'judging') : 'over'
  const isUnderWay = phase === 'judging' || phase === 'applying'
  const hasList = phase === 'ready' && !!(rejudge?.changedCount || rejudge?.keptCount)
  const action = useMutation({
    mutationFn: async (act: Act) => act(operationId),
    onSettled: () => refresh(operationQuery(operationId).queryKey),
  })
  return (
    <section
      ref={box}
      tabIndex={-1}
      className={classes.box}
      data-state={state}
      aria-label={t('rejudge.name')}
    >
      <Announced when={!isUnderWay} className={classes.text}>
        {text(operation)}
      </Announced>
      {isUnderWay ? (
        <Progress
          flex="1 1 160px"
          value={total === 0 ? 0 : (done / total) * 100}
          aria-label={t('rejudge.name')}
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
            {t(isListed ? 'rejudge.hide' : 'rejudge.show')}
          </Button>
        ) : null}
        <Actions
          phase={phase}
          isPending={action.isPending}
          onAct={(act) => {
            action.mutate(act)
            // The pressed button disappears, so the panel takes the focus.
            box.current?.focus()
          }}
          onDismiss={onDismiss}
        />
      </Group>
      <Hint phase={phase} expiresAt={rejudge?.expiresAt ?? null} />
      <ErrorBox of={action} />
      {hasList && isListed ? <RejudgeChanges operationId={operationId} /> : null}
    </section>
  )
}

interface ReadPanelProps {
  operationId: string
  /** Called when the server no longer knows the rejudge. */
  onGone: () => void
}

/** Reads a rejudge; once it is over, reads again everything that shows results. */
function ReadPanel({ operationId, onGone }: ReadPanelProps) {
  const { data, error } = useQuery(operationQuery(operationId))
  const isGone = isNotFound(error)
  const isOver = isGone || (data !== undefined && data.state !== 'running')
  const wasRunning = useRef(false)
  useEffect(() => {
    if (isOver && wasRunning.current) void refresh(...OF_RESULTS)
    wasRunning.current = data?.state === 'running' && !isOver
    // The server has forgotten the operation, or hides it because it is over and belongs to another user. So the app
    // stops asking.
    if (isGone) onGone()
  }, [isOver, isGone, data?.state, onGone])
  if (isGone || data === undefined) return null

  function dismiss() {
    onGone()
    // The pressed button is gone, so the page takes the focus.
    document.getElementById('main')?.focus({ preventScroll: true })
  }

  return <OpenPanel operation={data} operationId={operationId} onDismiss={dismiss} />
}

interface RejudgePanelProps {
  /** The same path as for `RejudgeAll`. */
  path: string
  /** The running rejudge, if the server names it. Default: the last one that the user began in this browser. */
  currentId?: string | null | undefined
}

/** Shows a bulk rejudge, if there is one: its progress, the results that it changes, and the user's possible actions. */
export function RejudgePanel({ path, currentId }: RejudgePanelProps) {
  const { operationId, know } = useKnownOperation(path)
  const shown = currentId ?? operationId
  return shown === null ? null : (
    <ReadPanel key={shown} operationId={shown} onGone={() => know(null)} />
  )
}
