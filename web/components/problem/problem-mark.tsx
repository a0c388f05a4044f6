import { IconCircle, IconCircleCheckFilled, IconCircleHalf2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Mark } from '../../lib/format/marks.ts'
import classes from './problem-mark.module.css'

const ICONS = {
  solved: IconCircleCheckFilled,
  begun: IconCircleHalf2,
  untouched: IconCircle,
} as const

/** A mark that differs from the other marks by shape, colour and word. */
export function ProblemMark({ mark }: { mark: Mark }) {
  const { t } = useTranslation()
  const Icon = ICONS[mark]
  return (
    <span className={classes.mark} data-mark={mark}>
      <Icon size={16} aria-hidden="true" />
      {t(`mark.${mark}`)}
    </span>
  )
}
