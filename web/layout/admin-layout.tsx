import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, Outlet, useLocation } from 'react-router'
import { mayInInstallation, useSession } from '../lib/session/session.ts'
import classes from './admin-layout.module.css'
import { ADMIN_TABS, ADMIN_TAB_NAMES, adminTabOf, keepAdminTab, lastAdminTab } from './admin-tab.ts'
import { ForbiddenPage } from './forbidden-page.tsx'

/** The pages of the administration as tabs, for admins only. */
export function AdminLayout() {
  const { t } = useTranslation()
  const { user } = useSession()
  const { pathname } = useLocation()
  const open = adminTabOf(pathname)
  const isAdmin = mayInInstallation(user, 'users.manage')
  useEffect(() => {
    if (isAdmin && open !== null) keepAdminTab(open)
  }, [isAdmin, open])
  if (!isAdmin) return <ForbiddenPage />
  return (
    <>
      <nav className={classes.tabs} aria-label={t('nav.admin')}>
        {ADMIN_TAB_NAMES.map((name) => (
          <Link
            key={name}
            to={ADMIN_TABS[name]}
            className={classes.tab}
            data-active={name === open || undefined}
            aria-current={name === open ? 'page' : undefined}
          >
            {t(`admin.${name}`)}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  )
}

/** `/admin`: the page that was open last. */
export function AdminStart() {
  return <Navigate to={ADMIN_TABS[lastAdminTab()]} replace />
}
