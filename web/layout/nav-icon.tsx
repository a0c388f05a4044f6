import {
  IconAdjustments,
  IconBooks,
  IconCalendarDue,
  IconHome,
  IconInfoCircle,
  IconMessages,
  IconPuzzle,
  IconSend,
  IconSettings,
  IconShieldCog,
  IconSpeakerphone,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import type { NavKey } from './nav-entries.ts'

const ICONS = {
  home: IconHome,
  courses: IconBooks,
  about: IconInfoCircle,
  admin: IconShieldCog,
  profile: IconUser,
  settings: IconSettings,
  announcements: IconSpeakerphone,
  homeworks: IconCalendarDue,
  problems: IconPuzzle,
  submissions: IconSend,
  questions: IconMessages,
  members: IconUsers,
  courseSettings: IconAdjustments,
} as const

/** The icon of a page; decoration only, the label stands beside it. */
export function NavIcon({ name }: { name: NavKey }) {
  const Icon = ICONS[name]
  return <Icon size={20} stroke={1.7} aria-hidden="true" />
}
