import { Burger } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, ScrollRestoration, useLocation } from 'react-router'
import { DESKTOP_BREAKPOINT_PX } from '#contract/limits'
import { FallbackBoundary } from '../components/fallback-boundary.tsx'
import { useLeaveQuestion } from '../lib/leave-warning.ts'
import { PRODUCT_NAME } from '#contract/product'
import { readStored, STORAGE_KEYS, writeStored } from '../lib/storage.ts'
import { paths } from '../paths.ts'
import classes from './app-layout.module.css'
import { Guard } from './guard.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { PasswordQuestion } from './password-question.tsx'
import { ServerToast } from './server-toast.tsx'
import { SessionEnd } from './session-end.tsx'
import { SideBar } from './side-bar.tsx'
import { useSignOutOnArrival } from './use-sign-out-on-arrival.ts'

const NavDrawer = lazy(async () => ({ default: (await import('./nav-drawer.tsx')).NavDrawer }))

/** Puts the focus on the new page after a navigation, so that the keyboard goes on there. */
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

/** The shell: side bar or top bar, notices, and the page. */
export function AppLayout() {
  const { t } = useTranslation()
  const desktop = useMediaQuery(`(min-width: ${DESKTOP_BREAKPOINT_PX}px)`, undefined, {
    getInitialValueInEffect: false,
  })
  const [drawerOpen, setDrawerOpen] = useState(false)
  const [drawerUsed, setDrawerUsed] = useState(false)
  const [mini, setMini] = useState(() => readStored(STORAGE_KEYS.miniSidebar) === 'true')
  const burger = useRef<HTMLButtonElement>(null)
  const main = useFocusAfterNavigation()
  useSignOutOnArrival()
  useLeaveQuestion()

  function toggleMini() {
    writeStored(STORAGE_KEYS.miniSidebar, String(!mini))
    setMini(!mini)
  }

  function openDrawer() {
    setDrawerUsed(true)
    setDrawerOpen(true)
  }

  function dismissDrawer() {
    setDrawerOpen(false)
    // Mantine does not know who opened it the first time, when it was loaded for that.
    setTimeout(() => burger.current?.focus())
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
        <header className={classes.top}>
          <Burger
            ref={burger}
            opened={drawerOpen}
            onClick={openDrawer}
            size="sm"
            aria-label={t('nav.openMenu')}
            aria-haspopup="dialog"
            aria-expanded={drawerOpen}
          />
          <Link to={paths.home()} className={classes.brand}>
            <img src="/favicon.svg" alt="" width={24} height={24} />
            {PRODUCT_NAME}
          </Link>
        </header>
      )}
      {drawerUsed ? (
        <FallbackBoundary fallback={null}>
          <Suspense>
            <NavDrawer
              opened={drawerOpen && !desktop}
              onClose={dismissDrawer}
              onNavigate={() => setDrawerOpen(false)}
            />
          </Suspense>
        </FallbackBoundary>
      ) : null}
      <div className={classes.column}>
        <OfflineBanner />
        <main id="main" ref={main} tabIndex={-1} className={classes.main}>
          <Guard />
        </main>
      </div>
      <ServerToast />
      <SessionEnd />
      <PasswordQuestion />
      <ScrollRestoration />
    </div>
  )
}
