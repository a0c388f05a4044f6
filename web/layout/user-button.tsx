import { VisuallyHidden } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import type { Me } from '#contract/people/auth'
import classes from './user-menu.module.css'

export interface UserButtonProps extends ComponentProps<'button'> {
  mini: boolean
  user: Me
}

/** The button with the user's name that opens the menu. */
export function UserButton({ mini, user, ...button }: UserButtonProps) {
  const { t } = useTranslation()
  const name = user.displayedName || user.username
  return (
    <button
      {...button}
      type="button"
      className={classes.button}
      aria-label={mini ? t('user.menu', { name }) : undefined}
    >
      <span className={classes.face} aria-hidden="true">
        {name.slice(0, 1).toUpperCase()}
      </span>
      {mini ? null : (
        <span className={classes.who}>
          <span className={classes.name}>{name}</span>
          <span className={classes.role}>{t(`role.${user.role}`)}</span>
          <VisuallyHidden>{t('user.menu', { name })}</VisuallyHidden>
        </span>
      )}
    </button>
  )
}
