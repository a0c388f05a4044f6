import { Alert, Box, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconPlayerStop, IconSearch } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { CopycatState } from '#contract/copycat'
import { call } from '../../lib/api/call.ts'
import { Announced } from '../../components/feedback/announced.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { isRefusal } from '../../lib/api/api-error.ts'
import { queryClient } from '../../lib/api/query-client.ts'
import { copycatQuery } from './api.ts'

interface RunPanelProps {
  course: string
  problemId: number
  /** null: there has been no search yet. */
  state: CopycatState | null
}

/** The calls that start a search and stop it. */
function useSearch(course: string, problemId: number) {
  const { queryKey } = copycatQuery(course, problemId)
  const refresh = () => queryClient.invalidateQueries({ queryKey, exact: true })
  const start = useMutation({
    mutationFn: () => call('POST /copycat', { body: { course, problemId } }),
    onSuccess: refresh,
  })
  const stop = useMutation({
    mutationFn: () => call('DELETE /copycat', { body: { course, problemId } }),
    // The search may have ended at the same moment, so its state is read again even after a refusal.
    onSettled: refresh,
  })
  return { start, stop }
}

interface RunButtonProps extends ReturnType<typeof useSearch> {
  state: CopycatState | null
}

function RunButton({ state, start, stop }: RunButtonProps) {
  const { t } = useTranslation()
  if (state?.state === 'running')
    return (
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={16} aria-hidden="true" />}
        loading={stop.isPending}
        onClick={() => stop.mutate()}
      >
        {t('copycat.stop')}
      </Button>
    )
  return (
    <Button
      variant={state?.state === 'done' ? 'default' : 'filled'}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      loading={start.isPending}
      onClick={() => start.mutate()}
    >
      {t(state === null ? 'copycat.start' : 'copycat.again')}
    </Button>
  )
}

/** Starts and stops a search, and shows its progress. */
export function RunPanel({ course, problemId, state }: RunPanelProps) {
  const { t } = useTranslation()
  const { start, stop } = useSearch(course, problemId)
  const running = state?.state === 'running' ? state : null
  const stopFailed = isRefusal(stop.error, 'no_report_running') ? null : stop.error
  return (
    <Group
      component="section"
      className="app-card"
      justify="space-between"
      gap="14px 24px"
      mb={20}
      px={22}
      py={18}
      aria-label={t('copycat.search')}
    >
      <Stack gap={8} flex="1 1 320px">
        <Text maw="74ch" fz="sm" c="dimmed">
          {t('copycat.help')}
        </Text>
        <Box fz="0.9375rem" fw={600}>
          <Announced when={running === null}>
            {state === null ? t('copycat.notYet') : null}
            {running ? t('copycat.running', { done: running.done, total: running.total }) : null}
            {state?.state === 'done' ? (
              <>
                {t('copycat.doneAt')} <TimeText at={state.createTime} />
              </>
            ) : null}
          </Announced>
        </Box>
        {running ? (
          <Progress
            value={running.total === 0 ? 0 : (running.done / running.total) * 100}
            aria-label={t('copycat.search')}
          />
        ) : null}
      </Stack>
      <RunButton state={state} start={start} stop={stop} />
      {state?.state === 'failed' ? (
        <Alert color="red" w="100%" title={t('copycat.failed')}>
          {state.error}
        </Alert>
      ) : null}
      {(start.error ?? stopFailed) ? (
        <Box w="100%">
          <ErrorBox of={{ error: start.error ?? stopFailed }} />
        </Box>
      ) : null}
    </Group>
  )
}
