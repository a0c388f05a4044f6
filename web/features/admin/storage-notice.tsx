import { Alert, Button, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api/call.ts'
import { FormError } from '../../components/forms/form-error.tsx'
import { refresh } from '../../lib/api/query-client.ts'
import { askToConfirm } from '../../lib/confirm.ts'
import { storageQuery } from './api.ts'

/** Says why the sweeper deletes nothing, with the button that lets it go on; nothing if all is well. */
export function StorageNotice() {
  const { t } = useTranslation()
  const storage = useQuery(storageQuery)
  const confirm = useMutation({
    mutationFn: (state: 'mismatch' | 'held') => call('POST /storage/confirm', { body: { state } }),
    onSettled: async () => refresh(storageQuery.queryKey),
  })
  const state = storage.data?.state
  if (state !== 'mismatch' && state !== 'held') return null
  const isHeld = state === 'held'
  const question = isHeld ? 'storage.askHeld' : 'storage.askMismatch'

  async function askAndConfirm(known: 'mismatch' | 'held') {
    const isSure = await askToConfirm({
      title: t(`${question}.title`),
      text: t(`${question}.text`),
      label: t(`${question}.label`),
    })
    if (isSure) confirm.mutate(known)
  }

  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={t('storage.title')}>
      <Text size="sm">
        {t(isHeld ? 'storage.held' : 'storage.mismatch', { ...storage.data?.held })}
      </Text>
      <Button
        mt="sm"
        size="xs"
        variant="default"
        loading={confirm.isPending}
        onClick={() => void askAndConfirm(state)}
      >
        {t(isHeld ? 'storage.confirmHeld' : 'storage.confirmMismatch')}
      </Button>
      <FormError error={confirm.error} />
    </Alert>
  )
}
