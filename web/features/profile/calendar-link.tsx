import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { newCalendarLink } from '#contract/calendar'
import { CopyText } from '../../components/display/secret-text.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { call } from '../../lib/api/call.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { askToConfirm } from '../../lib/confirm.ts'
import { calendarLinkQuery } from './api.ts'

/** The new secret address, which is shown once. */
function NewLink({ url }: { url: string }) {
  const { t } = useTranslation()
  return (
    <Alert color="yellow" icon={<IconKey />}>
      <Stack gap="xs">
        <Text size="sm">{t('secret.once')}</Text>
        <CopyText label={t('calendar.link')} text={url} />
        <Text size="sm">{t('calendar.use')}</Text>
      </Stack>
    </Alert>
  )
}

interface PresentLinkProps {
  createdAt: number
  isMaking: boolean
  isEnding: boolean
  onRenew: () => void
  onEnd: () => void
}

/** When the link was made, with the buttons that replace and end it. */
function PresentLink({ createdAt, isMaking, isEnding, onRenew, onEnd }: PresentLinkProps) {
  const { t } = useTranslation()

  async function askAnd(what: 'renew' | 'end', act: () => void) {
    const isSure = await askToConfirm({
      title: t(`calendar.${what}Ask`),
      text: t('calendar.askText'),
      label: t(`calendar.${what}`),
    })
    if (isSure) act()
  }

  return (
    <>
      <Text size="sm">
        {t('calendar.made')} <TimeText at={createdAt} />
      </Text>
      <Group>
        <Button variant="default" loading={isMaking} onClick={() => void askAnd('renew', onRenew)}>
          {t('calendar.renew')}
        </Button>
        <Button variant="default" loading={isEnding} onClick={() => void askAnd('end', onEnd)}>
          {t('calendar.end')}
        </Button>
      </Group>
    </>
  )
}

/** Makes, renews and ends the secret link with which calendar programs read the user's due times. */
export function CalendarLink() {
  const { t } = useTranslation()
  const link = useQuery(calendarLinkQuery)
  const onSettled = () => refresh(calendarLinkQuery.queryKey)
  const making = useMutation({
    mutationFn: () => call('POST /calendar-link', { as: newCalendarLink }),
    onSettled,
  })
  const ending = useMutation({
    mutationFn: () => call('DELETE /calendar-link'),
    onSuccess: making.reset,
    onSettled,
  })
  if (link.isPending) return <RowsSkeleton rows={1} height={36} />
  if (link.isLoadingError) return <ErrorBox of={link} />
  const { createdAt } = link.data
  return (
    <Stack gap="sm">
      <ErrorBox of={making} />
      <ErrorBox of={ending} />
      {/* Always rendered, so that screen readers announce the link. */}
      <output>{making.data ? <NewLink url={making.data.url} /> : null}</output>
      {createdAt === null ? (
        <Group>
          <Button variant="default" loading={making.isPending} onClick={() => making.mutate()}>
            {t('calendar.make')}
          </Button>
        </Group>
      ) : (
        <PresentLink
          createdAt={createdAt}
          isMaking={making.isPending}
          isEnding={ending.isPending}
          onRenew={making.mutate}
          onEnd={ending.mutate}
        />
      )}
    </Stack>
  )
}
