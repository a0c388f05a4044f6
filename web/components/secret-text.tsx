import { Alert, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from './copy-button.tsx'
import classes from './secret-text.module.css'

/** Something to copy, word for word. */
export function CopyText({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation()
  return (
    <div className={classes.box}>
      <pre className={classes.text}>{text}</pre>
      <CopyButton text={text} label={t('common.copyOf', { what: label })} />
    </div>
  )
}

/** A secret that is shown this once. */
export function SecretText({ label, secret }: { label: string; secret: string }) {
  const { t } = useTranslation()
  return (
    <Alert color="yellow" variant="outline" icon={<IconKey />} className="app-alert">
      <Stack gap="xs">
        <Text size="sm">{t('secret.once')}</Text>
        <CopyText label={label} text={secret} />
      </Stack>
    </Alert>
  )
}
