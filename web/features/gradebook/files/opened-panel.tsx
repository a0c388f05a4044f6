import { Alert, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { GradebookColumn } from '#contract/gradebook'
import type { MarkedPerson } from '../../../lib/gradebook-files/fill.ts'
import { useCourse } from '../../../lib/queries/course.ts'
import { ColumnPairs } from './column-pairs.tsx'
import { FillPanel } from './fill-panel.tsx'
import { PeopleRows } from './people-rows.tsx'
import { ReadPanel } from './read-panel.tsx'
import { useOpenedFile, type OpenedFile, type PickedFile } from './use-opened-file.ts'

/** Which column of a table of no known system names the people. */
function PersonColumn({ opened }: { opened: OpenedFile }) {
  const { t } = useTranslation()
  const { file, recognised, person, choosePerson } = opened
  if (recognised.system !== 'any') return null
  const heads = file.table.rows[recognised.headRow] ?? []
  return (
    <NativeSelect
      label={t('gradebook.files.personColumn')}
      value={person ?? ''}
      onChange={({ currentTarget: { value } }) => choosePerson(value === '' ? null : Number(value))}
      data={[
        { value: '', label: t('gradebook.files.byHeads') },
        ...heads.map(({ value }, column) => ({ value: String(column), label: value })),
      ]}
    />
  )
}

/** From which system the file is, and what is only a guess about it. */
function SystemNote({ opened }: { opened: OpenedFile }) {
  const { t } = useTranslation()
  const { name, file, recognised, report } = opened
  const { system } = recognised
  const isGuess = system === 'blackboard' && file.encoding !== 'utf-8'
  return (
    <>
      <Text component="output">
        {t(`gradebook.files.system.${system}`, { name })}{' '}
        {t('gradebook.files.matched', { count: report.byRow.size })}
      </Text>
      {isGuess ? <Alert color="yellow">{t('gradebook.files.guessUtf16')}</Alert> : null}
    </>
  )
}

interface OpenedPanelProps {
  picked: PickedFile
  people: readonly MarkedPerson[]
  columns: readonly GradebookColumn[]
}

/** An opened file: fill it, or read marks from it. */
export function OpenedPanel({ picked, people, columns }: OpenedPanelProps) {
  const { t } = useTranslation()
  const { may } = useCourse()
  const [way, setWay] = useState('fill')
  const opened = useOpenedFile(picked, people, columns)
  const isReading = way === 'read'
  return (
    <Stack gap="sm" mt="md">
      <SystemNote opened={opened} />
      {may('gradebook.write') ? (
        <SegmentedControl
          aria-label={t('gradebook.files.way')}
          value={way}
          onChange={setWay}
          data={['fill', 'read'].map((value) => ({
            value,
            label: t(`gradebook.files.ways.${value as 'fill' | 'read'}`),
          }))}
        />
      ) : null}
      <PersonColumn opened={opened} />
      <ColumnPairs opened={opened} isReading={isReading} />
      <PeopleRows opened={opened} />
      {isReading ? <ReadPanel opened={opened} /> : <FillPanel opened={opened} />}
    </Stack>
  )
}
