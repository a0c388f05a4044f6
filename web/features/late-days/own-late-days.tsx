import { Text } from '@mantine/core'
import { IconCalendarTime } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { LateDayTable } from '#contract/late-days'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { lateDayRuleSentences } from '../../components/homeworks/late-days.ts'
import { Section } from '../../components/page/section.tsx'
import { homeworksQuery } from '../../lib/queries/course-homeworks.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { Uses } from './uses.tsx'

/** The late days of the reader, and what they mean. */
export function OwnLateDays({ table: { budgets, people } }: { table: LateDayTable }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const homeworks = useQuery(homeworksQuery(course)).data ?? []
  if (budgets.length === 0) return <EmptyState Icon={IconCalendarTime} text={t('lateDays.none')} />
  return budgets.map((budget, index) => {
    const own = people[0]?.budgets[index]
    const names = homeworks.filter(({ id }) => budget.homeworkIds.includes(id))
    return (
      <Section key={budget.id} title={budget.name}>
        {own === undefined ? null : <Uses size={budget.size} {...own} />}
        {lateDayRuleSentences(budget, t).map((sentence) => (
          <Text key={sentence} size="sm" c="dimmed">
            {sentence}
          </Text>
        ))}
        <Text size="sm" c="dimmed">
          {t('lateDays.inHomeworks', { names: names.map(({ name }) => name).join(', ') })}
        </Text>
      </Section>
    )
  })
}
