import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { COUNT_LIMITS } from '#contract/limits'
import classes from './count-badge.module.css'

interface CountBadgeProps {
  count: number
  /** What is counted, as a text of `nav`. Default: the questions of a course that wait for the reader. */
  of?: 'waiting' | 'new' | undefined
}

/** How many things wait for the reader; nothing for 0. */
export function CountBadge({ count, of = 'waiting' }: CountBadgeProps) {
  const { t } = useTranslation()
  if (count === 0) return null
  const most = COUNT_LIMITS.waitingQuestions
  return (
    <span className={classes.badge}>
      <span aria-hidden="true">{count < most ? count : `${most - 1}+`}</span>
      <VisuallyHidden>{t(`nav.${of}`, { count })}</VisuallyHidden>
    </span>
  )
}
