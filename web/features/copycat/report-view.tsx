import { Alert, Stack } from '@mantine/core'
import { IconMoodSmile, IconUsers } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { CopycatReport } from '#contract/copycat'
import { BarPlot, type Bar } from '../../components/display/bar-plot.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Facts } from '../../components/display/facts.tsx'
import { PairTable } from './pair-table.tsx'

/** Bars from 0 to 100 %. */
function similarityBars(histogram: readonly number[]): Bar[] {
  const width = 100 / histogram.length
  return histogram.map((count, index) => ({
    label: `${index * width}–${(index + 1) * width}`,
    count,
  }))
}

/** Says how many programs were left out. */
function MissingNotice({ count }: { count: number }) {
  const { t } = useTranslation()
  return count > 0 ? <Alert color="yellow">{t('copycat.missing', { count })}</Alert> : null
}

/** The report of a search. */
export function ReportView({ report }: { report: CopycatReport }) {
  return (
    <>
      <MissingNotice count={report.missingCount ?? 0} />
      <Comparison report={report} />
    </>
  )
}

/** What was compared, and what was found. */
function Comparison({ report }: { report: CopycatReport }) {
  const { t } = useTranslation()
  const { submissionCount, comparedCount, pairCount, pairs } = report
  if (submissionCount < 2)
    return (
      <EmptyState
        Icon={IconUsers}
        text={t(submissionCount === 0 ? 'copycat.nobody' : 'copycat.onlyOne')}
      />
    )
  return (
    <>
      <Facts
        facts={[
          { label: t('copycat.programs'), value: submissionCount },
          { label: t('copycat.compared'), value: comparedCount },
          { label: t('copycat.found'), value: pairCount, isKey: true },
        ]}
      />
      {pairCount === 0 ? (
        <EmptyState Icon={IconMoodSmile} text={t('copycat.nothing')} />
      ) : (
        <Stack>
          <BarPlot
            title={t('copycat.histogram')}
            labelColumn={t('copycat.similarityPercent')}
            countColumn={t('copycat.pairs')}
            bars={similarityBars(report.histogram)}
          />
          <PairTable pairs={pairs} pairCount={pairCount} />
        </Stack>
      )}
    </>
  )
}
