import { Alert, Button, Group, Skeleton, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { STATUS } from '#contract/verdicts'
import { operationStarted } from '#contract/operations'
import { call } from '../../lib/api/call.ts'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { Facts } from '../../components/display/facts.tsx'
import { useErrorText } from '../../lib/api/error-text.ts'
import { askToConfirm } from '../../lib/confirm.ts'
import { operationQuery } from '../../lib/queries/operations.ts'
import { useNumberText } from '../../lib/format/number-text.ts'
import { queueQuery } from './api.ts'

/** How far the operation has come. */
function OperationProgress({ operationId }: { operationId: string }) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  const operation = useQuery(operationQuery(operationId))
  if (operation.isLoadingError) return errorText(operation.error)
  if (!operation.data) return null
  const { state, done, total, error } = operation.data
  if (state === 'failed') return error ?? t('common.failed')
  return t(state === 'done' ? 'dashboard.requeued' : 'dashboard.requeuing', { done, total })
}

/** The button that rejudges all submissions with a Judge Error. */
function Requeue() {
  const { t } = useTranslation()
  const errorText = useErrorText()
  const requeue = useMutation({
    mutationFn: () =>
      call('POST /runners/requeue', { body: { status: STATUS.JE }, as: operationStarted }),
  })

  async function ask() {
    const isSure = await askToConfirm({
      title: t('dashboard.confirmRequeue.title'),
      text: t('dashboard.confirmRequeue.text'),
      label: t('dashboard.confirmRequeue.label'),
      isHarmless: true,
    })
    if (isSure) requeue.mutate()
  }

  return (
    <Group gap="8px 16px" fz="sm">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={15} aria-hidden="true" />}
        loading={requeue.isPending}
        onClick={() => void ask()}
      >
        {t('dashboard.requeue')}
      </Button>
      <output>
        {requeue.data ? <OperationProgress operationId={requeue.data.jobId} /> : null}
        {requeue.isError ? (
          <Text span size="sm" c="var(--mantine-color-error)">
            {errorText(requeue.error)}
          </Text>
        ) : null}
      </output>
    </Group>
  )
}

/** Length and throughput of the queue. */
export function Queue() {
  const { t } = useTranslation()
  const { whole, duration } = useNumberText()
  const queue = useQuery(queueQuery)
  if (queue.isPending) return <Skeleton height={120} radius="lg" />
  if (queue.isLoadingError) return <ErrorBox of={queue} />
  const { pending, oldestSeconds, activeRunners, slots, estimateSeconds, unhealthy } = queue.data
  return (
    <>
      <Facts
        facts={[
          { label: t('dashboard.pending'), value: whole(pending), isKey: true },
          {
            label: t('dashboard.oldest'),
            value: pending === 0 ? '–' : duration(oldestSeconds),
          },
          {
            label: t('dashboard.estimate'),
            value: estimateSeconds === null ? t('dashboard.nobody') : duration(estimateSeconds),
          },
          { label: t('dashboard.runners'), value: whole(activeRunners) },
          { label: t('dashboard.slots'), value: whole(slots) },
        ]}
      />
      {unhealthy === 0 ? null : (
        <Alert color="yellow" my="sm">
          {t('dashboard.unhealthy', { count: unhealthy })}
        </Alert>
      )}
      <Requeue />
    </>
  )
}
