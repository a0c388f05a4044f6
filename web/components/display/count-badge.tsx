import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { COUNT_LIMITS } from '#contract/limits'
import classes from './count-badge.module.css'

/** How many questions of a course wait for the reader; nothing for 0. */
export function CountBadge({ count }: { count: number }) {
  const { t } = useTranslation()
  if (count === 0) return null
  const most = COUNT_LIMITS.waitingQuestions
  return (
    <span className={classes.badge}>
      <span aria-hidden="true">{count < most ? count : `${most - 1}+`}</span>
      <VisuallyHidden>{t('nav.waiting', { count })}</VisuallyHidden>
    </span>
  )
}
