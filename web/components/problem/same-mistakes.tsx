import { IconUsersGroup } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useCourse } from '../../lib/queries/course.ts'
import { LinkButton } from '../page/link-button.tsx'

interface SameMistakesProps {
  /** The page of a problem's or a homework's mistakes. */
  to: string
  /** Default: a general name. */
  label?: string
}

/** Leads staff to the groups of people who made the same mistake; students do not see it. */
export function SameMistakes({ to, label }: SameMistakesProps) {
  const { t } = useTranslation()
  const { may } = useCourse()
  if (!may('submission.readAll')) return null
  return <LinkButton to={to} Icon={IconUsersGroup} label={label ?? t('hints.sameMistakes')} />
}
