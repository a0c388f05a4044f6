import { NativeSelect, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Section } from '../../components/page/section.tsx'
import {
  changeEditorSettings,
  FONT_SIZES_PX,
  TAB_WIDTHS,
  useEditorSettings,
} from '../../lib/drafts/editor-settings.ts'
import classes from './settings-page.module.css'

/** A preview of font size and tab width. */
function Sample({ fontSizePx, tabWidth }: { fontSizePx: number; tabWidth: number }) {
  return (
    <pre className={classes.sample} style={{ fontSize: fontSizePx, tabSize: tabWidth }}>
      {'for (int i = 0; i < n; i++) {\n\tsum += a[i];\n}'}
    </pre>
  )
}

/** Font size and tab width of the code editor. */
export function EditorSection() {
  const { t } = useTranslation()
  const settings = useEditorSettings()
  return (
    <Section title={t('editorSettings.title')} help={t('settings.schemeHelp')}>
      <Stack>
        <NativeSelect
          label={t('editorSettings.fontSize')}
          maw={200}
          value={String(settings.fontSizePx)}
          data={FONT_SIZES_PX.map((size) => ({ value: String(size), label: `${size} px` }))}
          onChange={(event) => {
            const chosen = FONT_SIZES_PX.find((size) => String(size) === event.currentTarget.value)
            if (chosen !== undefined) changeEditorSettings({ fontSizePx: chosen })
          }}
        />
        <NativeSelect
          label={t('editorSettings.tabWidth')}
          maw={200}
          value={String(settings.tabWidth)}
          data={TAB_WIDTHS.map((width) => ({
            value: String(width),
            label: t('editorSettings.columns', { count: width }),
          }))}
          onChange={(event) => {
            const chosen = TAB_WIDTHS.find((width) => String(width) === event.currentTarget.value)
            if (chosen !== undefined) changeEditorSettings({ tabWidth: chosen })
          }}
        />
        <Sample fontSizePx={settings.fontSizePx} tabWidth={settings.tabWidth} />
      </Stack>
    </Section>
  )
}
