import { Button, Group } from '@mantine/core'
import { IconServerOff } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isSlowHost } from '#contract/judging'
import { CALIBRATION, RUNNERS } from '#contract/limits'
import type { Runner, RunnerEdit } from '#contract/judging/runners'
import { call } from '../../lib/api/call.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { Row, RowList } from '../../components/lists/row-list.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { askToConfirm } from '../../lib/confirm.ts'
import { formatBytes } from '../../lib/format/format.ts'
import { useNumberText } from '../../lib/format/number-text.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { queueQuery, runnersQuery } from './api.ts'
import classes from './dashboard-page.module.css'
import { SlotLimit } from './slot-limit.tsx'

/** The state shown for a runner. */
function stateOf({ alive, state }: Runner): 'active' | 'draining' | 'silent' {
  return alive ? state : 'silent'
}

/** The slots that a runner uses: all it has, up to its limit. */
function usedSlots({ slots, slotLimit }: Runner): number {
  return Math.min(slots, slotLimit)
}

function RunnerFacts({ runner }: { runner: Runner }) {
  const { t } = useTranslation()
  const { whole } = useNumberText()
  const { host, jobSeconds } = runner
  return (
    <>
      <span>
        {runner.lastHeartbeat === null ? (
          t('fleet.never')
        ) : (
          <>
            {t('fleet.heartbeat')} <TimeText at={runner.lastHeartbeat} relative />
          </>
        )}
      </span>
      {runner.slots === 0 ? null : (
        <span>{t('fleet.slots', { active: runner.activeJobs, slots: usedSlots(runner) })}</span>
      )}
      {runner.version === '' ? null : (
        <span>{t('fleet.version', { version: runner.version })}</span>
      )}
      {jobSeconds === null ? null : (
        <span>{t('fleet.jobSeconds', { seconds: jobSeconds.toFixed(1) })}</span>
      )}
      {host === null ? null : (
        <span title={host.cpu}>
          {t('fleet.host', {
            hostname: host.hostname,
            cores: host.cores,
            memory: formatBytes(host.memoryKb * 1024),
          })}
        </span>
      )}
      {host?.calibrationMs === undefined ? null : (
        <span title={t('fleet.calibrationHelp')}>
          {t('fleet.calibration', {
            ms: whole(Math.round(host.calibrationMs)),
            reference: whole(CALIBRATION.referenceMs),
          })}
        </span>
      )}
      {isSlowHost(host?.calibrationMs ?? 0) ? (
        <span className={classes.slow}>{t('fleet.slow')}</span>
      ) : null}
      {runner.refusedResults === 0 ? null : (
        <span className={classes.slow}>
          {t('fleet.refused', {
            count: runner.refusedResults,
            most: RUNNERS.refusedResults,
            why: runner.lastRefusal ?? '',
          })}
        </span>
      )}
    </>
  )
}

interface RunnerActionsProps {
  runner: Runner
  isBusy: boolean
  onEdit: (edit: RunnerEdit) => void
  onRemove: () => void
}

function RunnerActions({ runner, isBusy, onEdit, onRemove }: RunnerActionsProps) {
  const { t } = useTranslation()
  const { name, state } = runner
  const turn = state === 'active' ? 'drain' : 'activate'
  return (
    <Group gap="xs" justify="flex-end">
      <Button
        size="xs"
        variant="default"
        loading={isBusy}
        aria-label={t(`fleet.${turn}Of`, { name })}
        onClick={() => onEdit({ state: turn === 'drain' ? 'draining' : 'active' })}
      >
        {t(`fleet.${turn}`)}
      </Button>
      <SlotLimit runner={runner} disabled={isBusy} />
      <Button
        size="xs"
        variant="default"
        disabled={isBusy}
        aria-label={t('fleet.removeOf', { name })}
        onClick={onRemove}
      >
        {t('fleet.remove')}
      </Button>
    </Group>
  )
}

/** The judge hosts, each with buttons to drain, activate, limit and remove it. */
export function Fleet() {
  const { t } = useTranslation()
  const runners = useQuery(runnersQuery)
  const act = useMutation({
    mutationFn: ({ runner, deed }: { runner: Runner; deed: RunnerEdit | 'remove' }) => {
      const params = { id: runner.runnerId }
      return deed === 'remove'
        ? call('DELETE /runners/:id', { params })
        : call('PATCH /runners/:id', { params, body: deed, ifMatch: runner.etag })
    },
    onSettled: () => refresh(runnersQuery.queryKey, queueQuery.queryKey),
  })
  if (runners.isPending) return <RowsSkeleton rows={2} height={64} />
  if (runners.isLoadingError) return <ErrorBox of={runners} />
  if (runners.data.length === 0) return <EmptyState Icon={IconServerOff} text={t('fleet.none')} />

  async function remove(runner: Runner) {
    const isSure = await askToConfirm({
      title: t('fleet.confirmRemove.title', { name: runner.name }),
      text: t('fleet.confirmRemove.text'),
      label: t('fleet.remove'),
    })
    if (isSure) act.mutate({ runner, deed: 'remove' })
  }

  return (
    <>
      <ErrorBox of={act} />
      <RowList>
        {runners.data.map((runner) => (
          <Row
            key={runner.runnerId}
            title={
              <>
                <span>{runner.name}</span>
                <span className={classes.state} data-state={stateOf(runner)}>
                  {t(`fleet.state.${stateOf(runner)}`)}
                </span>
              </>
            }
            facts={<RunnerFacts runner={runner} />}
            action={
              <RunnerActions
                runner={runner}
                isBusy={act.isPending && act.variables.runner.runnerId === runner.runnerId}
                onEdit={(deed) => act.mutate({ runner, deed })}
                onRemove={() => void remove(runner)}
              />
            }
          />
        ))}
      </RowList>
    </>
  )
}
