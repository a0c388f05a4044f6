import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { alarmTrial } from '#contract/installation/alarms'
import { mailTrial, type SetupItemName } from '#contract/installation/setup'
import { call } from '../../lib/api/call.ts'
import { FormError } from '../../components/forms/form-error.tsx'
import { refresh } from '../../lib/api/query-client.ts'
import { setupQuery } from '../../lib/queries/setup.ts'

const TRIED = ['mail', 'alarms', 'hashing'] as const satisfies SetupItemName[]
/** An item that has a button to try it. */
type TriedItem = (typeof TRIED)[number]

/** Whether an item has a button to try it. */
export function isTried(item: SetupItemName): item is TriedItem {
  return TRIED.some((tried) => tried === item)
}

/** A button that tries something, and the outcome. */
export function Trial({ item, disabled }: { item: TriedItem; disabled: boolean }) {
  const { t } = useTranslation()
  const attempts: Record<TriedItem, () => Promise<string>> = {
    async mail() {
      const { to, fault } = await call('POST /setup/mail', { as: mailTrial })
      return fault === null ? t('setup.mailed', { to }) : t('setup.notMailed', { fault })
    },
    async alarms() {
      const outcome = await call('POST /setup/alarms', { as: alarmTrial })
      return outcome
        .map(({ channel, fault }) =>
          fault === null ? t(`setup.told.${channel}`) : t(`setup.notTold.${channel}`, { fault }),
        )
        .join(' ')
    },
    async hashing() {
      await call('POST /setup/hashing')
      return t('setup.hashed')
    },
  }
  const trial = useMutation({
    mutationFn: attempts[item],
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
