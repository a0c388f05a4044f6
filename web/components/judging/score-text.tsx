import { TOTAL_SCORE } from '#contract/limits'
import classes from './score-text.module.css'

/** A score beside the full score. */
export function ScoreText({ score, full = TOTAL_SCORE }: { score: number; full?: number }) {
  return (
    <span className={classes.score}>
      {score} <small>/ {full}</small>
    </span>
  )
}
