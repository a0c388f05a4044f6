import { ActionIcon, NativeSelect, Text } from '@mantine/core'
import { IconFileUpload, IconQuestionMark } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { LANGUAGES, type Language } from '#contract/languages'
import { QUOTA_UNLIMITED } from '#contract/limits'
import type { Problem } from '#contract/problems'
import { FilePickButton } from '../../components/forms/file-pick-button.tsx'
import { allowedLanguages } from './source.ts'
import classes from './submit-page.module.css'

/** The file types that the dialog offers. */
const SOURCE_FILES = [
  ...LANGUAGES.flatMap(({ fileEndings }) => fileEndings.map((ending) => `.${ending}`)),
  'text/plain',
].join(',')

interface SubmitBarProps {
  problem: Problem
  language: Language | null
  onChoose: (language: Language | null) => void
  onFile: (file: File) => void
  isHelpOpen: boolean
  onHelp: () => void
}

/** Language, file, help and the quota left. */
export function SubmitBar(props: SubmitBarProps) {
  const { t } = useTranslation()
  const { language, onChoose, onFile, isHelpOpen, onHelp } = props
  const { allowedLanguage, ownQuota: quota, quotaUsed } = props.problem
  const allowed = allowedLanguages(allowedLanguage)
  return (
    <div className={classes.tools}>
      <NativeSelect
        aria-label={t('submit.language')}
        value={language === null ? '' : String(language.code)}
        onChange={({ currentTarget: { value } }) =>
          onChoose(allowed.find(({ code }) => String(code) === value) ?? null)
        }
        data={[
          { value: '', label: t('submit.choose') },
          ...allowed.map(({ code, label }) => ({ value: String(code), label })),
        ]}
      />
      <FilePickButton
        onPick={onFile}
        accept={SOURCE_FILES}
        icon={<IconFileUpload size={16} aria-hidden="true" />}
      >
        {t('submit.file')}
      </FilePickButton>
      <ActionIcon
        size="lg"
        variant="default"
        aria-label={t('submit.help')}
        title={t('submit.help')}
        aria-expanded={isHelpOpen}
        aria-controls="editor-help"
        onClick={onHelp}
      >
        <IconQuestionMark size={16} />
      </ActionIcon>
      <Text span fz="sm" c="dimmed">
        {quota === QUOTA_UNLIMITED
          ? t('submit.unlimited')
          : t('submit.quotaLeft', { count: Math.max(0, quota - quotaUsed), quota })}
      </Text>
    </div>
  )
}
