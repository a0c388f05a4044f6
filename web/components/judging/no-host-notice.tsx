import { Anchor } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { mayInInstallation, useSession } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'
import classes from './no-host-notice.module.css'

/** Says that no host judges at the moment, and that submissions are kept; admins get a link to the hosts. */
export function NoHostNotice({ when }: { when: boolean }) {
  const { t } = useTranslation()
  const { user } = useSession()
  return (
    // Rendered before its text arrives, else screen readers miss it; takes no room while empty.
    <output className={when ? classes.notice : classes.empty}>
      {when ? (
        <>
          <IconPlugConnectedX size={18} aria-hidden="true" />
          <span>
            {t('noHost.text')}{' '}
            {mayInInstallation(user, 'fleet.manage') ? (
              <Anchor
                component={Link}
                to={paths.dashboard()}
                inherit
                underline="always"
                c="inherit"
              >
                {t('noHost.link')}
              </Anchor>
            ) : null}
          </span>
        </>
      ) : null}
    </output>
  )
}
