import { Skeleton } from '@mantine/core'
import { lazy, Suspense, type ReactNode } from 'react'
import classes from './bar-plot.module.css'
import { FallbackBoundary } from './fallback-boundary.tsx'
import { TableBox } from './table-box.tsx'

const BarPlotChart = lazy(async () => ({
  default: (await import('./bar-plot-chart.tsx')).BarPlotChart,
}))

export interface Bar {
  /** Names the bar below the plot and, without a `heading`, in the table. */
  label: string
  heading?: ReactNode
  count: number
  /** CSS colour; the theme's unless given. */
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

/** A bar plot with its numbers as a table, which is what screen readers read. */
export function BarPlot({ title, labelColumn, countColumn, bars }: BarPlotProps) {
  return (
    <figure className={`app-card ${classes.plot}`}>
      <figcaption className={classes.title}>{title}</figcaption>
      <div className={`app-screen-only ${classes.chart}`} aria-hidden="true">
        {/* Without the library the table still shows everything. */}
        <FallbackBoundary fallback={null}>
          <Suspense fallback={<Skeleton height="100%" />}>
            <BarPlotChart bars={bars} countColumn={countColumn} />
          </Suspense>
        </FallbackBoundary>
      </div>
      <TableBox className={classes.table}>
        <table aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{labelColumn}</th>
              <th scope="col" className="numeric">
                {countColumn}
              </th>
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.label}>
                <td>{bar.heading ?? bar.label}</td>
                <td className="numeric">{bar.count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
    </figure>
  )
}
