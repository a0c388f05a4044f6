import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../page/copy-button.tsx'
import classes from './secret-text.module.css'

/** A text with a button that copies it. */
export function CopyText({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation()
  return (
    <Group align="flex-start" gap={8} wrap="nowrap">
      <pre className={classes.text}>{text}</pre>
      <CopyButton text={text} label={t('common.copyOf', { what: label })} />
    </Group>
  )
}

interface SecretCreatedProps {
  label: string
  secret: string
  onClose: () => void
  /** How the secret is used. */
  children: ReactNode
}

/** The last step of a dialog that created a secret: the only time that the secret is shown. */
export function SecretCreated({ label, secret, onClose, children }: SecretCreatedProps) {
  const { t } = useTranslation()
  return (
    <Stack>
      <Alert color="yellow" icon={<IconKey />}>
        <Stack gap="xs">
          <Text size="sm">{t('secret.once')}</Text>
          <CopyText label={label} text={secret} />
        </Stack>
      </Alert>
      {children}
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('common.close')}</Button>
      </Group>
    </Stack>
  )
}
