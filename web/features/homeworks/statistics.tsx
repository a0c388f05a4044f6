import { Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { HomeworkStatistics, Spread } from '#contract/gradebook'
import type { Homework } from '#contract/homeworks'
import { BarPlot } from '../../components/display/bar-plot.tsx'
import { Facts } from '../../components/display/facts.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Section } from '../../components/page/section.tsx'
import { useNumberText } from '../../lib/format/number-text.ts'
import { binLabel } from '../../lib/histogram.ts'
import { statisticsQuery } from './api.ts'
import { NotBegun } from './not-begun.tsx'

/** The distribution of marks, and its numbers in points. */
function Marks({ students, max, marks: { bars, spread } }: HomeworkStatistics) {
  const { t } = useTranslation()
  const { points, whole } = useNumberText()
  return (
    <>
      <Facts
        facts={[
          { label: t('stats.students'), value: whole(students) },
          ...(spread
            ? [
                {
                  label: t('homeworkStats.median'),
                  value: t('homeworkStats.ofMax', {
                    points: points(spread.median),
                    max: points(max),
                  }),
                  isKey: true,
                },
                { label: t('homeworkStats.mean'), value: points(spread.mean) },
                { label: t('homeworkStats.middle'), value: middleOf(spread, points) },
                {
                  label: t('homeworkStats.range'),
                  value: `${points(spread.min)}–${points(spread.max)}`,
                },
              ]
            : []),
        ]}
      />
      <BarPlot
        title={t('homeworkStats.marks')}
        labelColumn={t('homeworkStats.percent')}
        countColumn={t('stats.students')}
        bars={bars.map(({ from, count }, index) => ({
          label: binLabel({ from, to: (bars[index + 1]?.from ?? from + 1) - 1, count }),
          count,
        }))}
      />
    </>
  )
}

/** The range of the middle half of the numbers. */
function middleOf({ lower, upper }: Spread, text: (value: number) => string): string {
  return `${text(lower)}–${text(upper)}`
}

function Problems({ problems }: Pick<HomeworkStatistics, 'problems'>) {
  const { t } = useTranslation()
  const { points, whole } = useNumberText()
  const named = problems.map((problem) => ({
    ...problem,
    name: `#${problem.problemId} ${problem.name}`,
  }))
  return (
    <>
      <Section title={t('nav.problems')}>
        <ListTable
          label={t('nav.problems')}
          columns={[
            { head: t('problems.name'), renderCell: ({ name }) => name },
            {
              head: t('stats.tried'),
              isNumeric: true,
              renderCell: ({ tried }) => whole(tried),
            },
            {
              head: t('stats.solved'),
              isNumeric: true,
              renderCell: ({ solved }) => whole(solved),
            },
            {
              head: t('homeworkStats.median'),
              isNumeric: true,
              renderCell: ({ marks, max }) =>
                marks === null
                  ? null
                  : t('homeworkStats.ofMax', {
                      points: points(marks.median),
                      max: points(max),
                    }),
            },
          ]}
          rows={named}
          keyOf={({ problemId }) => problemId}
        />
      </Section>
      {named
        .filter(({ tries }) => tries.length > 0)
        .map(({ problemId, name, tries }) => (
          <BarPlot
            key={problemId}
            title={t('homeworkStats.triesOf', { problem: name })}
            labelColumn={t('homeworkStats.tries')}
            countColumn={t('stats.students')}
            bars={tries.map((each) => ({ label: whole(each.tries), count: each.count }))}
          />
        ))}
    </>
  )
}

/** Where the ranges of hours before the due time begin; negative ones are late. */
const HOURS = [-24, 0, 1, 3, 6, 12, 24, 48, 96] as const

/** The work that counts, by ranges of hours before the due time; the latest first. */
function hourBars(list: HomeworkStatistics['hoursBefore'], t: TFunction) {
  const ranges = [Number.NEGATIVE_INFINITY, ...HOURS].map((from, index) => ({
    from,
    to: HOURS[index] ?? Number.POSITIVE_INFINITY,
  }))
  return ranges.map(({ from, to }) => {
    const [kind, values] =
      to <= 0
        ? from === Number.NEGATIVE_INFINITY
          ? (['veryLate', { hours: -to }] as const)
          : (['late', { hours: -from }] as const)
        : Number.isFinite(to)
          ? (['between', { from, to }] as const)
          : (['early', { hours: from }] as const)
    return {
      label: t(`homeworkStats.hours.${kind}`, values),
      count: list
        .filter(({ hours }) => hours >= from && hours < to)
        .reduce((sum, { count }) => sum + count, 0),
    }
  })
}

/** Medians by label; nothing in a course without labels. */
function ByLabel({ byLabel }: Pick<HomeworkStatistics, 'byLabel'>) {
  const { t } = useTranslation()
  const { points, whole } = useNumberText()
  if (byLabel.length === 0) return null
  const title = t('homeworkStats.byLabel')
  return (
    <Section title={title}>
      <ListTable
        label={title}
        columns={[
          { head: t('labels.label'), renderCell: ({ label }) => label },
          {
            head: t('stats.students'),
            isNumeric: true,
            renderCell: ({ marks }) => whole(marks?.count ?? 0),
          },
          {
            head: t('homeworkStats.median'),
            isNumeric: true,
            renderCell: ({ marks }) => marks && `${points(marks.median)} %`,
          },
          {
            head: t('homeworkStats.middle'),
            isNumeric: true,
            renderCell: ({ marks }) => marks && `${middleOf(marks, points)} %`,
          },
        ]}
        rows={byLabel}
        keyOf={({ label }) => label}
      />
    </Section>
  )
}

interface StatisticsProps {
  homework: Homework
  /** The id of the label whose students are shown; empty for all. */
  label: string
}

/** What staff see of a homework as a whole: marks, tries, times, labels, and who has not begun. */
export function Statistics({ homework, label }: StatisticsProps) {
  const { t } = useTranslation()
  const read = useQuery({
    ...statisticsQuery(homework.id, label),
    placeholderData: keepPreviousData,
  })
  if (read.isLoadingError) return <ErrorBox of={read} />
  if (!read.data) return <RowsSkeleton rows={4} height={120} />
  const { data } = read
  return (
    <Stack gap="lg" mt="lg">
      <NotBegun due={homework.own.due} people={data.notBegun} />
      <Marks {...data} />
      <Problems problems={data.problems} />
      <BarPlot
        title={t('homeworkStats.hoursBefore')}
        labelColumn={t('homeworkStats.time')}
        countColumn={t('homeworkStats.programs')}
        bars={hourBars(data.hoursBefore, t)}
      />
      <ByLabel byLabel={data.byLabel} />
    </Stack>
  )
}
