import { Group, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { GradebookColumn } from '#contract/gradebook'
import { Person } from '../../../components/display/person.tsx'
import { ListTable } from '../../../components/lists/list-table.tsx'
import { CopyButton } from '../../../components/page/copy-button.tsx'
import { Section } from '../../../components/page/section.tsx'
import { writeHundredths } from '../../../lib/gradebook-files/cell-numbers.ts'
import type { MarkedPerson } from '../../../lib/gradebook-files/fill.ts'

interface ClassroomListProps {
  people: readonly MarkedPerson[]
  columns: readonly GradebookColumn[]
}

/** The marks of one column in the order of names, to copy into a system that takes no file. */
export function ClassroomList({ people, columns }: ClassroomListProps) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<number | null>(null)
  const column = columns.find(({ id }) => id === chosen)
  const sorted = people.toSorted((left, right) =>
    left.displayedName.localeCompare(right.displayedName),
  )
  function markOf({ marks }: MarkedPerson): string {
    const hundredths = marks.get(column?.id ?? 0)?.hundredths ?? null
    return hundredths === null ? '' : writeHundredths(hundredths, '.')
  }
  return (
    <Section title={t('gradebook.files.classroom')} help={t('gradebook.files.classroomHelp')}>
      <Group align="end" mb={column === undefined ? 0 : 'sm'}>
        <NativeSelect
          label={t('gradebook.files.ours')}
          value={chosen ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setChosen(value === '' ? null : Number(value))
          }
          data={[
            { value: '', label: t('gradebook.files.chooseColumn') },
            ...columns.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
        {column === undefined ? null : (
          <CopyButton
            label={t('gradebook.files.copy', { name: column.name })}
            text={sorted.map(markOf).join('\n')}
          />
        )}
      </Group>
      {column === undefined ? null : (
        <>
          {column.shown === 'yes' ? null : (
            <Text size="sm" mb="sm">
              {t('gradebook.files.notShown', { names: column.name })}
            </Text>
          )}
          <ListTable
            label={column.name}
            rows={sorted}
            keyOf={({ username }) => username}
            columns={[
              {
                head: t('gradebook.files.student'),
                renderCell: (person) => <Person user={person} />,
              },
              { head: column.name, isNumeric: true, renderCell: markOf },
            ]}
          />
        </>
      )}
    </Section>
  )
}
