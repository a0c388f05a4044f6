import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProblemHomework } from '#contract/problems'
import { derivationWithDays } from '../../components/homeworks/late-days.ts'
import { useOwnLateDays } from '../../components/homeworks/own-late-days.ts'
import { useLocale } from '../../lib/format/i18n.ts'
import { LOCALES } from '../../lib/format/locale.ts'

interface LateCountsProps {
  homework: ProblemHomework
  scored: { at: number; score: number }
  /** What the submission counts without late days. */
  children: ReactNode
}

/** What the user's own late submission counts with the late days that they use in the homework. */
export function LateCounts({ homework, scored, children }: LateCountsProps) {
  const { t } = useTranslation()
  const { dateTag } = LOCALES[useLocale()]
  const late = useOwnLateDays(homework.id)
  if (late === null || late.days.used === 0) return children
  const days = { used: late.days.used, movesClosing: late.rule.movesClosing }
  const derivation = derivationWithDays(scored, homework, days, t, dateTag)
  return derivation === null ? children : <p>{`${homework.name}: ${derivation}`}</p>
}
