import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { IconSelect } from './icon-select.tsx'

const SCHEMES = ['light', 'dark', 'auto'] as const

/** The switch between light, dark and the system's preference. */
export function SchemeSwitch() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false })
  return (
    <IconSelect
      Icon={shown === 'dark' ? IconMoon : IconSun}
      label={t('scheme.label')}
      value={colorScheme}
      options={SCHEMES.map((value) => ({ value, label: t(`scheme.${value}`) }))}
      onChange={setColorScheme}
    />
  )
}
