import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { CourseWebhook } from '#contract/course-webhooks'
import { TimeText } from '../../components/display/time-text.tsx'

/** Returns a function that says why an address did not take a call. */
export function useFaultText(): (fault: string | null) => string {
  const { t } = useTranslation()
  return (fault) =>
    fault === null || fault === 'silent'
      ? t('webhook.silent')
      : t('webhook.answered', { status: fault })
}

/** Whether the address takes what is sent: since when, or since when not and why. */
export function WebhookState({ webhook }: { webhook: NonNullable<CourseWebhook> }) {
  const { t } = useTranslation()
  const faultText = useFaultText()
  const { createTime, failingSince, fault, offAt } = webhook
  if (failingSince === null)
    return (
      <Text size="sm">
        {t('webhook.since')} <TimeText at={createTime} />
      </Text>
    )
  return (
    <Alert
      color={offAt === null ? 'yellow' : 'red'}
      icon={<IconAlertTriangle />}
      title={t(offAt === null ? 'webhook.fails' : 'webhook.off')}
    >
      <Text size="sm">
        {t('webhook.failsSince')} <TimeText at={failingSince} />
      </Text>
      <Text size="sm">
        {faultText(fault)} {t(offAt === null ? 'webhook.failsHelp' : 'webhook.offHelp')}
      </Text>
    </Alert>
  )
}
