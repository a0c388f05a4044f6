import { Alert, Button, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FormError } from '../../components/forms/form-error.tsx'
import { refresh } from '../../lib/api/query-client.ts'
import { confirmStorage, storageQuery } from './api.ts'

/** Says why the sweeper deletes nothing, with the button that lets it go on; nothing if all is well. */
export function StorageNotice() {
  const { t } = useTranslation()
  const storage = useQuery(storageQuery)
  const confirm = useMutation({
    mutationFn: confirmStorage,
    onSettled: async () => refresh(storageQuery.queryKey),
  })
  const state = storage.data?.state
  if (state !== 'mismatch' && state !== 'held') return null
  const isHeld = state === 'held'
  const question = t(isHeld ? 'storage.askHeld' : 'storage.askMismatch')

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
        onClick={() => {
          if (window.confirm(question)) confirm.mutate(state)
        }}
      >
        {t(isHeld ? 'storage.confirmHeld' : 'storage.confirmMismatch')}
      </Button>
      <FormError error={confirm.error} />
    </Alert>
  )
}
