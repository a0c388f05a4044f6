import type { ReactNode } from 'react'
import classes from './bar-plot.module.css'
import { ListTable } from '../lists/list-table.tsx'

/** At most this many labels fit below the bars on a phone. */
const MOST_LABELS = 6

/** Longer labels take two lines where all are shown. */
const LINE_LETTERS = 9

export interface Bar {
  /** Names the bar below the plot and, without a `heading`, in the table. */
  label: string
  heading?: ReactNode
  count: number
  /** CSS colour. Default: the theme's colour. */
  color?: string
}

interface BarPlotProps {
  title: string
  /** What the bars are, e.g. scores. */
  labelColumn: string
  /** What is counted, e.g. students. */
  countColumn: string
  bars: Bar[]
}

/** The drawing: each bar with its count above and, where there is room, its label below. */
function Bars({ bars }: { bars: Bar[] }) {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const labelEach = Math.ceil(bars.length / MOST_LABELS)
  const isTall = bars.some(({ label }) => label.length > LINE_LETTERS)
  return (
    <div
      className={`app-screen-only ${classes.chart}`}
      data-tall={isTall || undefined}
      aria-hidden="true"
    >
      {bars.map(({ label, count, color }, index) => (
        <div key={label} className={classes.column}>
          <span className={classes.count}>{count}</span>
          <div
            className={classes.bar}
            style={{ flexGrow: count / most, backgroundColor: color }}
            data-bar={count}
          />
          <span className={classes.label} data-minor={index % labelEach > 0 || undefined}>
            {label}
          </span>
        </div>
      ))}
    </div>
  )
}

/** A bar plot with its numbers as a table, which is what screen readers read. */
export function BarPlot({ title, labelColumn, countColumn, bars }: BarPlotProps) {
  return (
    <figure className={`app-card ${classes.plot}`}>
      <figcaption className={classes.title}>{title}</figcaption>
      <Bars bars={bars} />
      <ListTable
        className={classes.table}
        label={title}
        columns={[
          { head: labelColumn, renderCell: ({ heading, label }) => heading ?? label },
          { head: countColumn, isNumeric: true, renderCell: ({ count }) => count },
        ]}
        rows={bars}
        keyOf={({ label }) => label}
      />
    </figure>
  )
}
