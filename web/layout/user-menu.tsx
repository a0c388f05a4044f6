import { Menu } from '@mantine/core'
import { IconHelp, IconLogout, IconUser } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { UserButton, type UserButtonProps } from './user-button.tsx'
import { useSignOut } from './use-sign-out.tsx'

/** By role: admin, teacher, student. */
const GUIDE_BY_ROLE = { 0: 'operators-guide', 1: 'teachers-guide', 2: 'students-guide' } as const

/** The menu with profile, help and sign-out; loaded, then opened, on the first click. */
export function UserMenu(props: UserButtonProps) {
  const { t } = useTranslation()
  const { signOut, question } = useSignOut()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Acts as if this button had been pressed: the focus moves into the menu, and later back to it.
    button.current?.focus()
    button.current?.click()
  }, [])
  return (
    <>
      {/* A menu may contain only items. */}
      <Menu position="top-start" width={220} withArrow withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <UserButton {...props} ref={button} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to={paths.profile()} leftSection={<IconUser size={16} />}>
            {t('nav.profile')}
          </Menu.Item>
          <Menu.Item
            component={Link}
            to={paths.help(GUIDE_BY_ROLE[props.user.role])}
            leftSection={<IconHelp size={16} />}
          >
            {t('nav.help')}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
            {t('user.signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {question}
    </>
  )
}
