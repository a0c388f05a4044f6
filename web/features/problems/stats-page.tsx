import { Stack } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { TOTAL_SCORE } from '#contract/limits'
import type { ProblemStats } from '#contract/problems/stats'
import { STATUS, submissionStatus } from '#contract/verdicts'
import { BarPlot, type Bar } from '../../components/display/bar-plot.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { Facts } from '../../components/display/facts.tsx'
import { LabelFilter } from '../../components/labels/label-filter.tsx'
import { useLabelChoice } from '../../components/labels/use-label-choice.ts'
import { PageSkeleton } from '../../components/feedback/page-skeleton.tsx'
import { Page } from '../../components/page/page.tsx'
import { SameMistakes } from '../../components/problem/same-mistakes.tsx'
import { VerdictBadge, verdictColor } from '../../components/judging/verdict-badge.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { isNotFound } from '../../lib/api/api-error.ts'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { useNumberText } from '../../lib/format/number-text.ts'
import { histogramBars } from '../../lib/histogram.ts'
import { memoryText, timeText } from '../../lib/format/measures.ts'
import { problemQuery } from '../../lib/queries/problems.ts'
import { paths } from '../../paths.ts'
import { problemStatsQuery } from './api.ts'
import { RankingTable } from './read/ranking-table.tsx'

/** Abbreviations that fit below a bar; the table has the full names. */
const SHORT_NAMES = new Map(
  Object.entries(STATUS).map(([name, code]): [number, string] => [code, name]),
)

/** A bar for each verdict that occurs, in order of codes. */
function verdictBars(counts: ProblemStats['statusCount']): Bar[] {
  return Object.entries(counts)
    .map(([code, count]) => ({ status: submissionStatus.parse(Number(code)), count }))
    .toSorted((left, right) => left.status - right.status)
    .map(({ status, count }) => ({
      label: status === STATUS.PENDING ? '…' : (SHORT_NAMES.get(status) ?? ''),
      heading: <VerdictBadge status={status} />,
      count,
      color: verdictColor(status),
    }))
}

function Numbers({ stats }: { stats: ProblemStats }) {
  const { t } = useTranslation()
  const { decimal } = useNumberText()
  const [solved, total] = stats.acUserRatio
  return (
    <Facts
      facts={[
        {
          label: t('stats.tried'),
          value: t('stats.ofStudents', { count: stats.triedUserCount, total }),
        },
        { label: t('stats.solved'), value: t('stats.ofStudents', { count: solved, total }) },
        { label: t('stats.average'), value: decimal(stats.average), isKey: true },
        { label: t('stats.deviation'), value: decimal(stats.std) },
      ]}
    />
  )
}

function Plots({ stats }: { stats: ProblemStats }) {
  const { t } = useTranslation()
  const verdicts = verdictBars(stats.statusCount)
  if (verdicts.length === 0) return <EmptyState Icon={IconChartBar} text={t('stats.none')} />
  return (
    <Stack gap="lg">
      <BarPlot
        title={t('stats.verdicts')}
        labelColumn={t('submission.verdict')}
        countColumn={t('stats.submissions')}
        bars={verdicts}
      />
      <BarPlot
        title={t('stats.scores')}
        labelColumn={t('stats.score')}
        countColumn={t('stats.students')}
        bars={histogramBars(stats.scoreDistribution, TOTAL_SCORE)}
      />
      <RankingTable
        title={t('stats.fastest')}
        column={t('submission.runTime')}
        rows={stats.top10RunTime}
        measure={({ runTime }) => timeText(runTime)}
      />
      <RankingTable
        title={t('stats.leanest')}
        column={t('submission.memory')}
        rows={stats.top10MemoryUsage}
        measure={({ memoryUsage }) => memoryText(memoryUsage)}
      />
    </Stack>
  )
}

/** `/course/{name}/problem/{id}/stats`. */
export function ProblemStatsPage() {
  const { t } = useTranslation()
  const problemId = Number(useParams().problemId)
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('problems')
  const problem = useQuery(problemQuery(problemId))
  const { choice } = useLabelChoice()
  const stats = useQuery({
    ...problemStatsQuery(problemId, choice),
    placeholderData: keepPreviousData,
  })
  if (!Number.isInteger(problemId) || isNotFound(problem.error)) return <NotFoundPage />
  if (problem.isPending || stats.isPending) return <PageSkeleton />
  const name = problem.data?.problemName ?? ''
  const heading = `#${problemId} ${name}`
  const allCrumbs = [...crumbs, { label: heading, to: paths.problem(course, problemId) }]
  if (problem.isLoadingError || stats.isLoadingError)
    return (
      <Page title={t('common.stats')} crumbs={crumbs}>
        <ErrorBox
          of={{
            error: problem.error ?? stats.error,
            refetch: () => Promise.all([problem.refetch(), stats.refetch()]),
          }}
        />
      </Page>
    )
  if (problem.data.course !== course) return <NotFoundPage />
  return (
    <Page
      title={t('common.stats')}
      heading={t('stats.title', { id: problemId, name })}
      crumbs={allCrumbs}
      actions={<SameMistakes to={paths.problemMistakes(course, problemId)} />}
    >
      <LabelFilter mb={16} />
      <Numbers stats={stats.data} />
      <Plots stats={stats.data} />
    </Page>
  )
}
