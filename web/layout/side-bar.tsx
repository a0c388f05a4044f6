import { ActionIcon, UnstyledButton } from '@mantine/core'
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSettings,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useMatch, useNavigate } from 'react-router'
import { CountBadge } from '../components/display/count-badge.tsx'
import { FallbackBoundary } from '../components/feedback/fallback-boundary.tsx'
import type { CourseDetail } from '#contract/courses'
import { PRODUCT_NAME } from '#contract/product'
import { loadPageTexts } from '../lib/format/i18n.ts'
import { noticeCountQuery } from '../lib/queries/notices.ts'
import { useSession } from '../lib/session/session.ts'
import { paths } from '../paths.ts'
import { LocaleSwitch } from './locale-switch.tsx'
import { courseEntries, isActive, mainEntries, NAV_ICONS, type NavEntry } from './nav-entries.ts'
import { PaletteOpener } from './palette-opener.tsx'
import { SchemeSwitch } from './scheme-switch.tsx'
import classes from './side-bar.module.css'
import { UserButton, type UserButtonProps } from './user-button.tsx'

const UserMenu = lazy(async () => {
  // Loads the texts now, because signing out may ask a question while there is no connection.
  const [{ UserMenu: Loaded }] = await Promise.all([import('./user-menu.tsx'), loadPageTexts()])
  return { default: Loaded }
})

interface SideBarProps {
  mini: boolean
  /** Makes the bar wide or narrow; undefined in the drawer, which is always wide. */
  onToggleMini?: (() => void) | undefined
  onNavigate?: (() => void) | undefined
}

interface EntryLinkProps {
  entry: NavEntry
  mini: boolean
  onNavigate?: (() => void) | undefined
  /** How many things on the link's page wait for the user. */
  waiting?: number | undefined
}

function EntryLink({ waiting = 0, ...props }: EntryLinkProps) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const label = t(`nav.${props.entry.key}`)
  const of = props.entry.key === 'notices' ? 'new' : 'waiting'
  const Icon = NAV_ICONS[props.entry.key]
  const active = isActive(props.entry, pathname)
  return (
    <li>
      <Link
        to={props.entry.to}
        className={classes.link}
        data-active={active || undefined}
        aria-current={active ? 'page' : undefined}
        aria-label={
          props.mini
            ? `${label}${waiting > 0 ? `, ${t(`nav.${of}`, { count: waiting })}` : ''}`
            : undefined
        }
        title={props.mini ? label : undefined}
        onClick={props.onNavigate}
      >
        <Icon size={20} stroke={1.7} aria-hidden="true" />
        {props.mini ? null : <span className={classes.label}>{label}</span>}
        <span className={classes.count}>
          <CountBadge count={waiting} of={of} />
        </span>
      </Link>
    </li>
  )
}

/** Loads the menu on the first click: few use it. */
function UserCorner(props: UserButtonProps) {
  const [wanted, setWanted] = useState(false)
  const navigate = useNavigate()
  const button = (
    <UserButton
      {...props}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setWanted(true)}
    />
  )
  if (!wanted) return button
  return (
    <FallbackBoundary
      fallback={<UserButton {...props} onClick={() => void navigate(paths.profile())} />}
    >
      <Suspense fallback={button}>
        <UserMenu {...props} />
      </Suspense>
    </FallbackBoundary>
  )
}

/** Settings, colour scheme, language, and the width of the bar. */
function Switches({ mini, onToggleMini, onNavigate }: SideBarProps) {
  const { t } = useTranslation()
  const toggleLabel = mini ? t('nav.expand') : t('nav.collapse')
  return (
    <div className={classes.switches}>
      <ActionIcon
        component={Link}
        to={paths.settings()}
        size="lg"
        className={classes.switch}
        aria-label={t('nav.settings')}
        title={t('nav.settings')}
        onClick={onNavigate}
      >
        <IconSettings size={19} stroke={1.7} />
      </ActionIcon>
      <SchemeSwitch />
      <LocaleSwitch />
      {onToggleMini ? (
        <UnstyledButton
          className={classes.toggle}
          onClick={onToggleMini}
          aria-label={toggleLabel}
          title={toggleLabel}
          aria-expanded={!mini}
        >
          {mini ? (
            <IconLayoutSidebarLeftExpand size={19} stroke={1.7} />
          ) : (
            <IconLayoutSidebarLeftCollapse size={19} stroke={1.7} />
          )}
        </UnstyledButton>
      ) : null}
    </div>
  )
}

/** Main links, the course's links, and the switches. */
export function SideBar({ mini, onToggleMini, onNavigate }: SideBarProps) {
  const { t } = useTranslation()
  const session = useSession()
  const { state, user } = session
  const news = useQuery({ ...noticeCountQuery, enabled: state === 1 }).data
  const course = useMatch('/course/:name/*')?.params.name
  // This only shows a course that the course's layout has read; the side bar itself reads no courses.
  const known = useQuery<CourseDetail>({ queryKey: ['course', course], enabled: false }).data
  return (
    <div className={classes.bar} data-mini={mini || undefined}>
      <Link
        to={paths.home()}
        className={classes.brand}
        onClick={onNavigate}
        aria-label={PRODUCT_NAME}
      >
        <img src="/favicon.svg" alt="" width={28} height={28} />
        {mini ? null : <span>{PRODUCT_NAME}</span>}
      </Link>
      {state === 1 && onToggleMini ? <PaletteOpener mini={mini} /> : null}
      <nav aria-label={t('nav.main')} className={classes.nav}>
        <ul className={`app-list ${classes.list}`}>
          {mainEntries(session).map((entry) => (
            <EntryLink
              key={entry.key}
              entry={entry}
              mini={mini}
              onNavigate={onNavigate}
              waiting={entry.key === 'notices' ? news?.count : 0}
            />
          ))}
        </ul>
        {course !== undefined && state === 1 ? (
          <div className={classes.course}>
            {mini ? null : <div className={classes.courseName}>{course}</div>}
            <ul className={`app-list ${classes.list}`} aria-label={t('nav.inCourse', { course })}>
              {courseEntries(course, known?.role).map((entry) => (
                <EntryLink
                  key={entry.key}
                  entry={entry}
                  mini={mini}
                  onNavigate={onNavigate}
                  waiting={entry.key === 'questions' ? known?.waitingQuestions : 0}
                />
              ))}
            </ul>
          </div>
        ) : null}
      </nav>
      <div className={classes.foot}>
        {user === null ? null : <UserCorner mini={mini} user={user} />}
        <Switches mini={mini} onToggleMini={onToggleMini} onNavigate={onNavigate} />
      </div>
    </div>
  )
}
