import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Language } from '#contract/languages'
import { changeEditorSettings, useEditorSettings } from '../../lib/drafts/editor-settings.ts'
import { HowCompiled } from './how-compiled.tsx'

/** The help below the text about keys: the switch to the plain field for screen readers, and how a language is compiled. */
export function OpenedHelp({ language }: { language: Language | null }) {
  const { t } = useTranslation()
  const { plain } = useEditorSettings()
  return (
    <>
      <Switch
        size="xs"
        label={t('submit.plain')}
        checked={plain}
        onChange={(event) => changeEditorSettings({ plain: event.currentTarget.checked })}
      />
      {language ? <HowCompiled language={language} /> : null}
    </>
  )
}
