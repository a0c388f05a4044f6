import type { Label } from '#contract/labels'
import classes from './label-chips.module.css'

/** Labels as small chips; nothing without one. */
export function LabelChips({ labels }: { labels: readonly Label[] }) {
  if (labels.length === 0) return null
  return (
    <span className={classes.chips}>
      {labels.map(({ id, name }) => (
        <span key={id}>{name}</span>
      ))}
    </span>
  )
}
