import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { GradebookGroup } from '#contract/gradebook'
import { TEXT_LIMITS } from '#contract/limits'
import { LabelFilter } from '../../components/labels/label-filter.tsx'
import type { GridColumn } from './edits.ts'
import type { GridFilter } from './use-people.ts'

interface FilterBarProps {
  filter: GridFilter
  groups: readonly GradebookGroup[]
  /** The columns to choose one of, on a narrow screen; null elsewhere. */
  columns: readonly GridColumn[] | null
  /** The id of the chosen column. */
  chosen: number | undefined
  onChoose: (columnId: number) => void
  /** Stands beside the choices. */
  children: ReactNode
}

/** Chooses people and columns. */
export function FilterBar(props: FilterBarProps) {
  const { filter, groups, columns, chosen, onChoose, children } = props
  const { t } = useTranslation()
  const search = useDebouncedCallback((text: string) => filter.setFilter('find', text), 150)
  return (
    <Group className="app-screen-only" gap={12} mb={12} align="flex-end">
      <TextInput
        label={t('gradebook.grid.find')}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        defaultValue={filter.find}
        maxLength={TEXT_LIMITS.search}
        onChange={({ currentTarget }) => search(currentTarget.value)}
      />
      <LabelFilter />
      {groups.length === 0 ? null : (
        <NativeSelect
          label={t('gradebook.grid.group')}
          value={filter.group}
          onChange={({ currentTarget }) => filter.setFilter('group', currentTarget.value)}
          data={[
            { value: '', label: t('gradebook.grid.allGroups') },
            ...groups.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
      )}
      {columns === null ? null : (
        <NativeSelect
          label={t('gradebook.grid.column')}
          value={String(chosen)}
          onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
          data={columns.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
      )}
      {children}
    </Group>
  )
}
