import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LateDayTable } from '#contract/late-days'
import { Person } from '../../components/display/person.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Section } from '../../components/page/section.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { Uses } from './uses.tsx'

/** How each student uses the late days of the course, with a filter by name. */
export function UsesTable({ table: { budgets, people } }: { table: LateDayTable }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const [typed, setTyped] = useState('')
  if (budgets.length === 0 || people.length === 0) return null
  const wanted = typed.trim().toLowerCase()
  const found = people.filter(({ user: { username, displayedName } }) =>
    `${username} ${displayedName}`.toLowerCase().includes(wanted),
  )
  return (
    <Section title={t('lateDays.people')}>
      <TextInput
        label={t('lateDays.find')}
        maw={320}
        mb="sm"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {found.length === 0 ? (
        <Text component="output">{t('lateDays.nobody')}</Text>
      ) : (
        <ListTable
          className="app-cards"
          label={t('lateDays.people')}
          rows={found}
          keyOf={({ user }) => user.username}
          columns={[
            {
              head: t('lateDays.student'),
              renderCell: ({ user }) => <Person user={user} linkedIn={course} />,
              isWide: true,
            },
            ...budgets.map(({ name, size }, index) => ({
              head: name,
              isLabelled: true,
              isWide: true,
              renderCell: ({ budgets: own }: LateDayTable['people'][number]) =>
                own[index] && <Uses size={size} {...own[index]} />,
            })),
          ]}
        />
      )}
    </Section>
  )
}
