import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ROLES } from '#contract/roles'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { Facts } from '../../components/display/facts.tsx'
import { useNumberText } from '../../lib/format/number-text.ts'
import { userSummaryQuery } from './api.ts'

const SHOWN = [ROLES.admin, ROLES.teacher, ROLES.student] as const

/** The number of users of each role. */
export function UserCounts() {
  const { t } = useTranslation()
  const { whole } = useNumberText()
  const summary = useQuery(userSummaryQuery)
  if (summary.isPending) return <Skeleton height={72} radius="lg" />
  if (summary.isLoadingError) return <ErrorBox of={summary} />
  const counts = new Map(summary.data.breakdown.map(({ role, count }) => [role, count]))
  return (
    <Facts
      facts={[
        { label: t('dashboard.total'), value: whole(summary.data.userCount), isKey: true },
        ...SHOWN.map((role) => ({
          label: t(`dashboard.role.${role}`),
          value: whole(counts.get(role) ?? 0),
        })),
      ]}
    />
  )
}
