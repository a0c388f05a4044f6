import { useTranslation } from 'react-i18next'
import type { QuestionState } from '#contract/questions'
import classes from './questions.module.css'

/** A question's state by word and colour. */
export function StateBadge({ state }: { state: QuestionState }) {
  const { t } = useTranslation()
  return (
    <span className={classes.state} data-state={state}>
      {t(`question.state.${state}`)}
    </span>
  )
}
