import { useTranslation } from 'react-i18next'
import { useLocale } from '../../lib/format/i18n.ts'
import { LOCALES } from '../../lib/format/locale.ts'
import { lateSentences, type LateTerms } from './late-rule.ts'
import classes from './homework-dates.module.css'

/** What the dates and the late rule of a homework mean, in sentences. */
export function LateRuleNote({ terms }: { terms: LateTerms }) {
  const { t } = useTranslation()
  const { dateTag } = LOCALES[useLocale()]
  return (
    <p className={classes.note}>
      {lateSentences(terms, t, dateTag).join(dateTag === 'en' ? ' ' : '')}
    </p>
  )
}
