import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { FormError } from '../../components/forms/form-error.tsx'
import { Page } from '../../components/page/page.tsx'
import { isRefusal } from '../../lib/api/api-error.ts'
import { call } from '../../lib/api/call.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { paths } from '../../paths.ts'
import { noticeSettingsQuery } from './api.ts'

/** Leads to the settings; guests sign in on the way. */
function ToSettings() {
  const { t } = useTranslation()
  return (
    <Button component={Link} to={`${paths.notices()}#settings`} size="sm">
      {t('notices.choose')}
    </Button>
  )
}

/** `/unsubscribe`: ends the mails with notices, by the token of a mail; nobody has to be signed in. */
export function UnsubscribePage() {
  const { t } = useTranslation()
  const { hash } = useLocation()
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? ''
  const stop = useMutation({
    mutationFn: () => call('POST /notices/unsubscribe', { query: { token } }),
    // The token may be the signed-in person's.
    onSuccess: () => refresh(noticeSettingsQuery.queryKey),
  })
  const isBad = token === '' || isRefusal(stop.error, 'bad_link')
  return (
    <Page title={t('notices.unsubscribe')}>
      <output>
        {isBad ? (
          <Alert color="red" icon={<IconLinkOff />} title={t('notices.badLink')} maw={560}>
            <ToSettings />
          </Alert>
        ) : null}
        {stop.isSuccess ? (
          <Alert color="green" icon={<IconCircleCheck />} title={t('notices.stopped')} maw={560}>
            <ToSettings />
          </Alert>
        ) : null}
      </output>
      {isBad || stop.isSuccess ? null : (
        <Stack className="app-card" p="lg" maw={480}>
          <Text size="sm">{t('notices.unsubscribeText')}</Text>
          <FormError error={stop.error} />
          <Button loading={stop.isPending} onClick={() => stop.mutate()}>
            {t('notices.stop')}
          </Button>
        </Stack>
      )}
    </Page>
  )
}
