import { Autocomplete, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_LIMITS } from '#contract/limits'
import { teachersQuery } from './api.ts'

interface TeacherFieldProps {
  value: string
  onChange: (username: string) => void
  description?: ReactNode
  error?: ReactNode
}

/** A username, typed or chosen from suggestions; for admins. */
export function TeacherField(props: TeacherFieldProps) {
  const { t } = useTranslation()
  const [search] = useDebouncedValue(props.value.trim().slice(0, TEXT_LIMITS.search), 300)
  const found = useQuery({ ...teachersQuery(search), placeholderData: keepPreviousData })
  const people = found.data ?? []
  return (
    <Autocomplete
      label={t('courses.teacherField')}
      description={t('courses.teacherSearch')}
      withAsterisk
      autoCapitalize="none"
      spellCheck={false}
      clearable
      clearButtonProps={{ 'aria-label': t('courses.teacherClear') }}
      data={people.map(({ username }) => username)}
      // Shows all options: the server has already searched, also by e-mail and name.
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const person = people.find(({ username }) => username === option.value)
        return (
          <span>
            {option.value}{' '}
            <Text span size="sm" c="dimmed">
              {person?.displayedName}
            </Text>
          </span>
        )
      }}
      {...props}
    />
  )
}
