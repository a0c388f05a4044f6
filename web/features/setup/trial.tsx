import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FormError } from '../../components/forms/form-error.tsx'
import { refresh } from '../../lib/api/query-client.ts'
import { setupQuery } from '../../lib/queries/setup.ts'
import { sendTestMail, tryHashing } from './api.ts'

/** A button that tries something, and what came of it. */
export function Trial({ item, disabled }: { item: 'mail' | 'hashing'; disabled: boolean }) {
  const { t } = useTranslation()
  const trial = useMutation({
    async mutationFn() {
      if (item === 'hashing') return tryHashing().then(() => t('setup.hashed'))
      const { to, fault } = await sendTestMail()
      return fault === null ? t('setup.mailed', { to }) : t('setup.notMailed', { fault })
    },
    onSettled: () => refresh(setupQuery.queryKey),
  })
  return (
    <div>
      <Button
        variant="default"
        disabled={disabled}
        loading={trial.isPending}
        onClick={() => trial.mutate()}
      >
        {t(`setup.try.${item}`)}
      </Button>
      <Text component="output" size="sm" display="block">
        {trial.data}
      </Text>
      <FormError error={trial.error} />
    </div>
  )
}
