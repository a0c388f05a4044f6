import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ErrorBox } from '../../../components/feedback/error-box.tsx'
import { DialogButton } from '../../../components/overlays/dialog-button.tsx'

interface CancelJudgingProps {
  label: string
  /** Says what will be cancelled. */
  text: string
  onCancel: () => Promise<unknown>
}

function CancelForm({ label, text, onCancel, close }: CancelJudgingProps & { close: () => void }) {
  const { t } = useTranslation()
  const cancelling = useMutation({ mutationFn: onCancel, onSuccess: close })
  return (
    <Stack>
      <Text size="sm">{text}</Text>
      <ErrorBox of={cancelling} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {t('cancelJudging.keep')}
        </Button>
        <Button loading={cancelling.isPending} onClick={() => cancelling.mutate()}>
          {label}
        </Button>
      </Group>
    </Stack>
  )
}

/** A button that asks, then ends the judging of waiting submissions. */
export function CancelJudging(props: CancelJudgingProps) {
  return (
    <DialogButton label={props.label} icon={<IconPlayerStop size={16} aria-hidden="true" />}>
      {(close) => <CancelForm {...props} close={close} />}
    </DialogButton>
  )
}
