import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import type { Bar } from './bar-plot.tsx'

/** The drawing of a bar plot, in a file of its own: pages without plots do not load the library. */
export function BarPlotChart({ bars, countColumn }: { bars: Bar[]; countColumn: string }) {
  return (
    <BarChart
      h="100%"
      data={bars.map(({ label, count, color }) => ({ label, [countColumn]: count, color }))}
      dataKey="label"
      series={[{ name: countColumn, color: 'var(--app-plot)' }]}
      yAxisProps={{ allowDecimals: false, width: 44 }}
      // Every second or third label where there is no room for all of them.
      xAxisProps={{ interval: 'equidistantPreserveStart' }}
      tickLine="none"
      maxBarWidth={46}
      withBarValueLabel
      // Nothing here takes the focus: people read the table beside it.
      barChartProps={{ accessibilityLayer: false }}
    />
  )
}
