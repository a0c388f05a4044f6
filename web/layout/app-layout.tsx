import { Burger, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { CountBadge } from '../components/display/count-badge.tsx'
import { FallbackBoundary } from '../components/feedback/fallback-boundary.tsx'
import { PageSkeleton } from '../components/feedback/page-skeleton.tsx'
import { keepEarlyCodeOn } from '../lib/drafts/early-code.ts'
import { useLeaveQuestion } from '../lib/drafts/leave-warning.ts'
import { PRODUCT_NAME } from '#contract/product'
import { loadPageTexts } from '../lib/format/i18n.ts'
import { serverNowMs } from '../lib/live/server-clock.ts'
import { isPublicPath, needsConfirmedEmail, signInPath } from '../lib/navigation/redirect.ts'
import { noticeCountQuery } from '../lib/queries/notices.ts'
import { personChanges, useSession } from '../lib/session/session.ts'
import { readStored, STORAGE_KEYS, writeStored } from '../lib/storage.ts'
import { paths } from '../paths.ts'
import classes from './app-layout.module.css'
import { ConfirmQuestion } from './confirm-question.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { PaletteOpener } from './palette-opener.tsx'
import { PasswordQuestion } from './password-question.tsx'
import { ServerToast } from './server-toast.tsx'
import { SessionEnd } from './session-end.tsx'
import { SideBar } from './side-bar.tsx'
import { useSignOutOnArrival } from './use-sign-out-on-arrival.ts'

/** Width in px from which the layout is the desktop one. */
export const DESKTOP_BREAKPOINT_PX = 1_024

const NavDrawer = lazy(async () => ({ default: (await import('./nav-drawer.tsx')).NavDrawer }))

const ConfirmEmail = lazy(async () => {
  const [{ ConfirmEmail: Loaded }] = await Promise.all([
    import('./confirm-email.tsx'),
    loadPageTexts(),
  ])
  return { default: Loaded }
})

/** Moves the focus to the new page after a navigation, so that the keyboard continues there. */
function useFocusAfterNavigation() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}

/** The drawer of narrow screens; loaded when it is opened for the first time. */
function useDrawer() {
  const [isOpen, setIsOpen] = useState(false)
  const [isUsed, setIsUsed] = useState(false)
  const burger = useRef<HTMLButtonElement>(null)

  function open() {
    setIsUsed(true)
    setIsOpen(true)
  }

  function dismiss() {
    setIsOpen(false)
    // Mantine does not return the focus the first time, because the drawer was loaded after the click.
    setTimeout(() => burger.current?.focus())
  }

  return { isOpen, isUsed, burger, open, dismiss, close: () => setIsOpen(false) }
}

/** The bar above the page of narrow screens. */
function TopBar({ isOpen, burger, open }: ReturnType<typeof useDrawer>) {
  const { t } = useTranslation()
  const { state } = useSession()
  const news = useQuery({ ...noticeCountQuery, enabled: state === 1 }).data
  return (
    <header className={classes.top}>
      <Burger
        ref={burger}
        opened={isOpen}
        onClick={open}
        size="sm"
        aria-label={t('nav.openMenu')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
      />
      <Link to={paths.home()} className={classes.brand}>
        <img src="/favicon.svg" alt="" width={24} height={24} />
        {PRODUCT_NAME}
      </Link>
      {state === 1 ? (
        <>
          <Link to={paths.notices()} className={classes.bell} title={t('nav.notices')}>
            <IconBell size={20} stroke={1.7} aria-hidden="true" />
            <VisuallyHidden>{t('nav.notices')}</VisuallyHidden>
            <CountBadge count={news?.count ?? 0} of="new" />
          </Link>
          <div className={classes.find}>
            <PaletteOpener mini />
          </div>
        </>
      ) : null}
    </header>
  )
}

/** Shows the page to those who may see it, and asks guests to sign in. */
function Guard() {
  const { pathname, search, hash } = useLocation()
  const { state, user } = useSession()
  const confirmBy = user?.confirmBy ?? Infinity
  const isFirst = confirmBy * 1_000 <= serverNowMs() && needsConfirmedEmail(pathname)
  const confirm =
    confirmBy === Infinity ? null : (
      <FallbackBoundary fallback={null}>
        <ConfirmEmail isFirst={isFirst} />
      </FallbackBoundary>
    )
  if (isFirst) return confirm
  if (isPublicPath(pathname) || state === 1)
    return (
      <>
        {confirm}
        <Outlet />
      </>
    )
  if (state === -1) return <PageSkeleton />
  return <Navigate to={signInPath(`${pathname}${search}${hash}`)} replace />
}

/** The shell: side bar or top bar, notices, and the page. */
export function AppLayout() {
  const { t } = useTranslation()
  const desktop = useMediaQuery(`(min-width: ${DESKTOP_BREAKPOINT_PX}px)`, undefined, {
    getInitialValueInEffect: false,
  })
  const [mini, setMini] = useState(() => readStored(STORAGE_KEYS.miniSidebar) === 'true')
  const drawer = useDrawer()
  const main = useFocusAfterNavigation()
  const { pathname } = useLocation()
  useEffect(() => keepEarlyCodeOn(pathname), [pathname])
  useSignOutOnArrival()
  useLeaveQuestion()

  function toggleMini() {
    writeStored(STORAGE_KEYS.miniSidebar, String(!mini))
    setMini(!mini)
  }

  return (
    <div className={classes.shell} data-mini={mini || undefined}>
      <a href="#main" className="skip-link">
        {t('nav.skip')}
      </a>
      {desktop ? (
        <aside className={`app-screen-only ${classes.side}`} aria-label={t('nav.sideBar')}>
          <SideBar mini={mini} onToggleMini={toggleMini} />
        </aside>
      ) : (
        <TopBar {...drawer} />
      )}
      {drawer.isUsed ? (
        <FallbackBoundary fallback={null}>
          <NavDrawer
            opened={drawer.isOpen && !desktop}
            onClose={drawer.dismiss}
            onNavigate={drawer.close}
          />
        </FallbackBoundary>
      ) : null}
      <div className={classes.column}>
        <OfflineBanner />
        <main id="main" ref={main} tabIndex={-1} className={classes.main}>
          <Guard key={personChanges.use()} />
        </main>
      </div>
      <ServerToast />
      <SessionEnd />
      <PasswordQuestion />
      <ConfirmQuestion />
      <ScrollRestoration />
    </div>
  )
}
