import { useTranslation } from 'react-i18next'
import { useLocale } from '../../lib/format/i18n.ts'
import { LOCALES } from '../../lib/format/locale.ts'
import { dateSentences, lateSentences, type LateTerms } from './late-rule.ts'
import classes from './homework-dates.module.css'

interface LateRuleNoteProps {
  terms: LateTerms
  /** Says the dates, too, where they stand nowhere else. */
  withDates?: boolean
}

/** What the dates and the late rule of a homework mean, in sentences. */
export function LateRuleNote({ terms, withDates = false }: LateRuleNoteProps) {
  const { t } = useTranslation()
  const { dateTag, sentenceGap } = LOCALES[useLocale()]
  const sentences = lateSentences(terms, t, dateTag)
  const all = withDates ? [...dateSentences(terms, t), ...sentences] : sentences
  return <p className={classes.note}>{all.join(sentenceGap)}</p>
}
