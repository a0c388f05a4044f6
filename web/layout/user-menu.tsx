import { Avatar, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconLogout, IconUser } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import type { Me } from '#contract/auth'
import { paths } from '../paths.ts'
import { SIGN_OUT } from './use-sign-out-on-arrival.ts'
import classes from './user-menu.module.css'

/** Who is signed in, with the way to the profile and out. */
export function UserMenu({ mini, user }: { mini: boolean; user: Me }) {
  const { t } = useTranslation()
  const navigate = useNavigate()

  const name = user.displayedName || user.username
  return (
    <Menu position="top-start" width={220} withArrow>
      <Menu.Target>
        <UnstyledButton
          className={classes.button}
          aria-label={mini ? t('user.menu', { name }) : undefined}
        >
          <Avatar size={30} radius="xl" color="petrol" variant="filled" aria-hidden="true">
            {name.slice(0, 1).toUpperCase()}
          </Avatar>
          {mini ? null : (
            <span className={classes.who}>
              <span className={classes.name}>{name}</span>
              <span className={classes.role}>{t(`role.${user.role}`)}</span>
              <VisuallyHidden>{t('user.menu', { name })}</VisuallyHidden>
            </span>
          )}
        </UnstyledButton>
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
