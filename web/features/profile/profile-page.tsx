import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page.tsx'
import { useSession } from '../../lib/session.ts'
import classes from './profile-page.module.css'

/** `/profile`: one's own data, as GET /auth/me tells them. */
export function ProfilePage() {
  const { t } = useTranslation()
  const { user } = useSession()
  if (user === null) return null
  return (
    <Page title={t('nav.profile')}>
      <dl className={`app-card ${classes.list}`}>
        <dt>{t('profile.username')}</dt>
        <dd className="mono">{user.username}</dd>
        <dt>{t('profile.displayName')}</dt>
        <dd>{user.displayedName}</dd>
        <dt>{t('profile.email')}</dt>
        <dd>{user.email}</dd>
        <dt>{t('profile.role')}</dt>
        <dd>{t(`role.${user.role}`)}</dd>
        {user.bio === '' ? null : (
          <>
            <dt>{t('profile.bio')}</dt>
            <dd>{user.bio}</dd>
          </>
        )}
      </dl>
    </Page>
  )
}
