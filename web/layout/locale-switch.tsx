import { IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { chooseLocale, useLocale } from '../lib/format/i18n.ts'
import { LOCALE_NAMES, LOCALES } from '../lib/format/locale.ts'
import { IconSelect } from './icon-select.tsx'

/** The language switch. */
export function LocaleSwitch() {
  const { t } = useTranslation()
  return (
    <IconSelect
      Icon={IconLanguage}
      label={t('locale.label')}
      value={useLocale()}
      options={LOCALE_NAMES.map((value) => ({
        value,
        label: LOCALES[value].ownName,
        lang: LOCALES[value].htmlLang,
      }))}
      onChange={(name) => void chooseLocale(name)}
    />
  )
}
