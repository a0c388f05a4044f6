/** Which admin page was open last. */
import { readStored, STORAGE_KEYS, writeStored } from '../lib/storage.ts'
import { paths } from '../paths.ts'

/** The pages below `/admin`, by the last part of their address. */
export const ADMIN_TABS = {
  dashboard: paths.dashboard(),
  user: paths.users(),
  audit: paths.audit(),
  setup: paths.setup(),
} as const
type AdminTab = keyof typeof ADMIN_TABS

export const ADMIN_TAB_NAMES: readonly AdminTab[] = ['dashboard', 'user', 'audit', 'setup']

/** The tab of a path, or null. */
export function adminTabOf(pathname: string): AdminTab | null {
  const bare = pathname.replace(/\/$/, '')
  return ADMIN_TAB_NAMES.find((name) => ADMIN_TABS[name] === bare) ?? null
}

/** The tab open last, or the dashboard. */
export function lastAdminTab(): AdminTab {
  const stored = readStored(STORAGE_KEYS.adminTab)
  return ADMIN_TAB_NAMES.find((name) => name === stored) ?? 'dashboard'
}

/** Remembers the open tab. */
export function keepAdminTab(tab: AdminTab): void {
  writeStored(STORAGE_KEYS.adminTab, tab)
}
