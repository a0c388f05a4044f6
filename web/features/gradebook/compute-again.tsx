import { Button, Group, Progress, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { operationStarted } from '#contract/operations'
import { Announced } from '../../components/feedback/announced.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { call } from '../../lib/api/call.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { refreshMarks } from '../../lib/queries/marks.ts'
import { operationQuery, useKnownOperation } from '../../lib/queries/operations.ts'

/** Starts the computing of all marks of the course anew. */
export function useComputing() {
  const { course } = useCourse()
  const { operationId, know } = useKnownOperation(`marks:${course}`)
  const start = useMutation({
    mutationFn: () =>
      call('POST /course/:name/gradebook/rebuild', {
        params: { name: course },
        as: operationStarted,
      }),
    onSuccess: ({ jobId }) => know(jobId),
  })
  return { operationId, know, start }
}

export function ComputeAgain({ start }: Pick<ReturnType<typeof useComputing>, 'start'>) {
  const { t } = useTranslation()
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden="true" />}
      loading={start.isPending}
      onClick={() => start.mutate()}
    >
      {t('gradebook.grid.computeAgain')}
    </Button>
  )
}

/** How far the computing is; nothing before it was started. */
export function ComputingProgress({ operationId, know, start }: ReturnType<typeof useComputing>) {
  const { t } = useTranslation()
  const { data, error } = useQuery({
    ...operationQuery(operationId ?? ''),
    enabled: operationId !== null,
  })
  const isDone = data?.state === 'done'
  useEffect(() => {
    if (isDone) void refreshMarks()
  }, [isDone])
  const failure = start.error ?? error
  if (operationId === null) return <FormError error={failure} />
  const { done = 0, total = 0 } = data ?? {}
  return (
    <Group gap={12} mb={10}>
      {data?.state === 'running' ? (
        <Progress
          w={160}
          value={total === 0 ? 0 : (done / total) * 100}
          aria-label={t('gradebook.grid.computeAgain')}
        />
      ) : null}
      <Announced when={data !== undefined && data.state !== 'running'}>
        {data?.state === 'running' ? t('gradebook.grid.computing', { done, total }) : null}
        {isDone ? t('gradebook.grid.computed') : null}
        {data?.state === 'failed' ? <Text span>{data.error}</Text> : null}
      </Announced>
      <FormError error={failure} />
      {data?.state === 'running' ? null : (
        <Button size="xs" variant="subtle" onClick={() => know(null)}>
          {t('common.close')}
        </Button>
      )}
    </Group>
  )
}
