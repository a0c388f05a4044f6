/** Which admin page was open last. */
import { readStored, STORAGE_KEYS, writeStored } from '../lib/storage.ts'
import { paths } from '../paths.ts'

/** The pages below `/admin`, by the last part of their address. */
export const ADMIN_TABS = {
  dashboard: paths.dashboard(),
  user: paths.users(),
  audit: paths.audit(),
} as const
type AdminTab = keyof typeof ADMIN_TABS

export const ADMIN_TAB_NAMES: readonly AdminTab[] = ['dashboard', 'user', 'audit']

/** The tab a path is; null for none of them. */
export function adminTabOf(pathname: string): AdminTab | null {
  const bare = pathname.replace(/\/$/, '')
  return ADMIN_TAB_NAMES.find((name) => ADMIN_TABS[name] === bare) ?? null
}

/** The one that was open last; the dashboard when none is known. */
export function lastAdminTab(): AdminTab {
  const stored = readStored(STORAGE_KEYS.adminTab)
  return ADMIN_TAB_NAMES.find((name) => name === stored) ?? 'dashboard'
}

/** Remembers the one that is open. */
export function keepAdminTab(tab: AdminTab): void {
  writeStored(STORAGE_KEYS.adminTab, tab)
}
