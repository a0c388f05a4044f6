import { Menu } from '@mantine/core'
import { IconLogout, IconUser } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { paths } from '../paths.ts'
import { SIGN_OUT } from './use-sign-out-on-arrival.ts'
import { UserButton, type UserButtonProps } from './user-button.tsx'

/** The way to the profile and out; loaded, and open, when it is wanted for the first time. */
export function UserMenu(props: UserButtonProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Menu defaultOpened position="top-start" width={220} withArrow>
      <Menu.Target>
        <UserButton {...props} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={paths.profile()} leftSection={<IconUser size={16} />}>
          {t('nav.profile')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} />}
          onClick={() => void navigate(paths.home(), { state: SIGN_OUT })}
        >
          {t('user.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
