import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck, IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { chooseLocale, useLocale } from '../lib/i18n.ts'
import { LOCALE_NAMES, LOCALES } from '../lib/locale.ts'
import classes from './side-bar.module.css'

/** The language switch. */
export function LocaleMenu() {
  const { t } = useTranslation()
  const current = useLocale()
  return (
    <Menu position="top-start" withArrow>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={classes.switch}
          aria-label={t('locale.label')}
        >
          <IconLanguage size={19} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {LOCALE_NAMES.map((name) => (
          <Menu.Item
            key={name}
            lang={LOCALES[name].htmlLang}
            rightSection={name === current ? <IconCheck size={16} /> : null}
            onClick={() => void chooseLocale(name)}
          >
            {LOCALES[name].ownName}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
