import { Alert, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AlarmState } from '#contract/installation/alarms'
import { TimeText } from '../../components/display/time-text.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { alarmsQuery } from './api.ts'

/** Alarms that other parts of the page show: the notice about the storage and the size of the database. */
const SHOWN_ELSEWHERE = ['storage_held', 'database_filling', 'database_nearly_full'] as const

/** Whether the list of alarms shows an alarm with this state. */
function isShown(
  state: AlarmState,
): state is Exclude<AlarmState, (typeof SHOWN_ELSEWHERE)[number]> {
  return !SHOWN_ELSEWHERE.some((other) => other === state)
}

/** The alarms, each with what the operator has to do; nothing if all is well. */
export function Alarms() {
  const { t } = useTranslation()
  const alarms = useQuery(alarmsQuery)
  const shown = (alarms.data ?? []).flatMap(({ state, since }) =>
    isShown(state) ? [{ state, since }] : [],
  )
  if (alarms.isLoadingError) return <ErrorBox of={alarms} />
  if (shown.length === 0) return null
  return (
    <Stack gap="sm">
      {shown.map(({ state, since }) => (
        <Alert
          key={state}
          color="red"
          icon={<IconAlertTriangle />}
          title={t(`alarms.title.${state}`)}
        >
          {t(`alarms.act.${state}`)} {t('alarms.since')} <TimeText at={since} relative />
        </Alert>
      ))}
    </Stack>
  )
}
