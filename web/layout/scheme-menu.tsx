import { ActionIcon, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './side-bar.module.css'

const SCHEMES = [
  { name: 'light', Icon: IconSun },
  { name: 'dark', Icon: IconMoon },
  { name: 'auto', Icon: IconDeviceDesktop },
] as const

/** The switch between light, dark and the system's preference. */
export function SchemeMenu() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const shown = useComputedColorScheme('light')
  const Current = shown === 'dark' ? IconMoon : IconSun
  return (
    <Menu position="top-start" withArrow>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={classes.switch}
          aria-label={t('scheme.label')}
        >
          <Current size={19} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map(({ name, Icon }) => (
          <Menu.Item
            key={name}
            leftSection={<Icon size={16} />}
            rightSection={name === colorScheme ? <IconCheck size={16} /> : null}
            onClick={() => setColorScheme(name)}
          >
            {t(`scheme.${name}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
