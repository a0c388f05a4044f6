import { Group, NativeSelect, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { LANGUAGES, type Language } from '#contract/languages'
import { QUOTA_UNLIMITED } from '#contract/limits'
import type { Problem } from '#contract/problems'
import { FilePickButton } from '../../components/forms/file-pick-button.tsx'
import { allowedLanguages } from './source.ts'

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
}

/** Language, file and the quota left. */
export function SubmitBar({ problem, language, onChoose, onFile }: SubmitBarProps) {
  const { t } = useTranslation()
  const { allowedLanguage, quota, quotaUsed } = problem
  const allowed = allowedLanguages(allowedLanguage)
  return (
    <Group align="flex-end" gap={12}>
      <NativeSelect
        label={t('submit.language')}
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
      <Text span ml="auto" fz="sm" c="dimmed">
        {quota === QUOTA_UNLIMITED
          ? t('submit.unlimited')
          : t('submit.quotaLeft', { count: Math.max(0, quota - quotaUsed), quota })}
      </Text>
    </Group>
  )
}
