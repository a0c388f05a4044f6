import { Radio, Stack, useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page/page.tsx'
import { Section } from '../../components/page/section.tsx'
import { chooseLocale, useLocale } from '../../lib/format/i18n.ts'
import { chooseListDensity, LIST_DENSITIES, useListDensity } from '../../lib/list-density.ts'
import { LOCALE_NAMES, LOCALES, toLocaleName } from '../../lib/format/locale.ts'
import { EditorSection } from './editor-section.tsx'
import classes from './settings-page.module.css'

const SCHEMES = ['light', 'dark', 'auto'] as const

/** `/settings`: language, colour scheme, lists and editor, kept in this browser. */
export function SettingsPage() {
  const { t } = useTranslation()
  const locale = useLocale()
  const density = useListDensity()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Page title={t('nav.settings')}>
      <div className={classes.columns}>
        <Section title={t('settings.appearance')} help={t('settings.schemeHelp')}>
          <Stack gap="xl">
            <Radio.Group
              label={t('locale.label')}
              value={locale}
              onChange={(value) => void chooseLocale(toLocaleName(value))}
            >
              <Stack gap="xs" mt="xs">
                {LOCALE_NAMES.map((name) => (
                  <Radio
                    key={name}
                    value={name}
                    label={LOCALES[name].ownName}
                    lang={LOCALES[name].htmlLang}
                  />
                ))}
              </Stack>
            </Radio.Group>
            <Radio.Group
              label={t('scheme.label')}
              value={colorScheme}
              onChange={(value) =>
                setColorScheme(SCHEMES.find((scheme) => scheme === value) ?? 'auto')
              }
            >
              <Stack gap="xs" mt="xs">
                {SCHEMES.map((scheme) => (
                  <Radio key={scheme} value={scheme} label={t(`scheme.${scheme}`)} />
                ))}
              </Stack>
            </Radio.Group>
            <Radio.Group
              label={t('settings.lists')}
              value={density}
              onChange={(value) =>
                chooseListDensity(LIST_DENSITIES.find((name) => name === value) ?? 'comfortable')
              }
            >
              <Stack gap="xs" mt="xs">
                {LIST_DENSITIES.map((name) => (
                  <Radio key={name} value={name} label={t(`settings.density.${name}`)} />
                ))}
              </Stack>
            </Radio.Group>
          </Stack>
        </Section>
        <EditorSection />
      </div>
    </Page>
  )
}
