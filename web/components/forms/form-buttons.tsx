import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

interface FormButtonsProps {
  /** The text of the sending button. Default: "Save". */
  label?: string
  isSending: boolean
  disabled?: boolean
  color?: 'red.9'
  /** The page that "Cancel" leads to. */
  cancelTo?: string
  /** What "Cancel" does if it leads to no page. */
  onCancel?: () => void
  cancelLabel?: string
}

/** The buttons at the foot of a form: cancel, if any, and send. */
export function FormButtons(props: FormButtonsProps) {
  const { isSending, disabled = false, color, cancelTo, onCancel } = props
  const { t } = useTranslation()
  const cancelLabel = props.cancelLabel ?? t('common.cancel')
  return (
    <Group justify="flex-end">
      {cancelTo === undefined ? null : (
        <Button component={Link} to={cancelTo} variant="default">
          {cancelLabel}
        </Button>
      )}
      {onCancel ? (
        <Button variant="default" onClick={onCancel}>
          {cancelLabel}
        </Button>
      ) : null}
      <Button type="submit" loading={isSending} disabled={disabled} {...(color && { color })}>
        {props.label ?? t('common.save')}
      </Button>
    </Group>
  )
}
