import { ActionIcon, Alert, Code, Group, NativeSelect, Text } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TestDataEntry } from '#contract/problems/test-data'
import { ListTable } from '../../../components/lists/list-table.tsx'
import {
  casesOf,
  IGNORED_REASONS,
  moveCases,
  moveUp,
  subtaskCount,
  type CaseMapping,
} from './case-mapping.ts'
import { ZipPatterns } from './zip-patterns.tsx'
import { ZipPairing } from './zip-pairing.tsx'
import classes from './zip-cases.module.css'

/** For each reason, at most this many ignored files are named. */
const SHOWN_IGNORED = 20

interface MappingProps {
  mapping: CaseMapping
  onCorrect: (mapping: CaseMapping) => void
}

/** The values of the subtask select that are no subtask's number. */
const LEFT_OUT = 'none'

interface SubtaskSelectProps {
  label: string
  isLabelShown?: boolean
  value: number | null
  count: number
  onPick: (subtask: number | null) => void
}

/** Chooses a subtask, a new one, or none. */
function SubtaskSelect({ label, isLabelShown, value, count, onPick }: SubtaskSelectProps) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      size="xs"
      label={isLabelShown ? label : undefined}
      aria-label={isLabelShown ? undefined : label}
      value={value === null ? LEFT_OUT : String(value)}
      onChange={({ currentTarget }) =>
        onPick(currentTarget.value === LEFT_OUT ? null : Number(currentTarget.value))
      }
      data={[
        ...Array.from({ length: count }, (_, number) => ({
          value: String(number),
          label: t('problemForm.subtask', { number }),
        })),
        { value: String(count), label: t('zipCases.newSubtask') },
        { value: LEFT_OUT, label: t('zipCases.leaveOut') },
      ]}
    />
  )
}

interface CaseRowsProps extends MappingProps {
  /** null: the cases left out by hand. */
  subtask: number | null
}

/** The cases of a subtask, each with a choice of another one. */
function CaseRows({ mapping, subtask, onCorrect }: CaseRowsProps) {
  const { t } = useTranslation()
  return (
    <ListTable
      className="app-cards"
      columns={[
        {
          head: t('zipCases.input'),
          className: 'mono',
          isLabelled: true,
          renderCell: ({ pair }) => pair.input,
        },
        {
          head: t('zipCases.output'),
          className: 'mono',
          isLabelled: true,
          renderCell: ({ pair }) => pair.output,
        },
        {
          head: t('zipCases.subtask'),
          renderCell: ({ at, pair }) => (
            <SubtaskSelect
              label={t('zipCases.subtaskOf', { name: pair.input })}
              value={subtask}
              count={subtaskCount(mapping)}
              onPick={(next) => onCorrect(moveCases(mapping, [at], next))}
            />
          ),
        },
      ]}
      rows={casesOf(mapping, subtask)}
      keyOf={({ at }) => at}
    />
  )
}

/** A subtask; its cases render once it is opened. */
function MappedSubtask({ mapping, subtask, onCorrect }: CaseRowsProps) {
  const { t } = useTranslation()
  const [wasOpened, setWasOpened] = useState(false)
  const cases = casesOf(mapping, subtask)
  const isSample = cases.every(({ pair }) => pair.isSample)
  const places = cases.map(({ at }) => at)
  const name =
    subtask === null ? t('zipCases.leftOut') : t('problemForm.subtask', { number: subtask })
  return (
    <details className={classes.subtask} onToggle={() => setWasOpened(true)}>
      <summary>
        {name} · {t('zipCases.cases', { count: cases.length })}
        {isSample ? ` · ${t('zipCases.samples')}` : ''}{' '}
        <span className={`mono ${classes.example}`}>{cases[0]?.pair.input}</span>
      </summary>
      {wasOpened ? (
        <>
          <Group gap="xs" align="end" my="xs">
            <SubtaskSelect
              label={t('zipCases.moveAll')}
              isLabelShown
              value={subtask}
              count={subtaskCount(mapping)}
              onPick={(next) => onCorrect(moveCases(mapping, places, next))}
            />
            {subtask === null || subtask === 0 ? null : (
              <ActionIcon
                size={30}
                aria-label={t('zipCases.moveUpOf', { number: subtask })}
                title={t('zipCases.moveUpOf', { number: subtask })}
                onClick={() => onCorrect(moveUp(mapping, subtask))}
              >
                <IconArrowUp size={16} aria-hidden="true" />
              </ActionIcon>
            )}
          </Group>
          <CaseRows mapping={mapping} subtask={subtask} onCorrect={onCorrect} />
        </>
      ) : null}
    </details>
  )
}

/** The files that are in no case, by reason. */
function IgnoredFiles({ mapping }: Pick<MappingProps, 'mapping'>) {
  const { t } = useTranslation()
  return IGNORED_REASONS.map((reason) => {
    const names = mapping.ignored.filter((file) => file.reason === reason).map(({ name }) => name)
    if (names.length === 0) return null
    return (
      <Text key={reason} size="sm" className={classes.ignored}>
        {t(`zipCases.reason.${reason}`, { count: names.length })}{' '}
        {names.slice(0, SHOWN_IGNORED).map((name, index) => (
          // A zip may hold a name twice.
          <Code key={index}>{name}</Code>
        ))}
        {names.length > SHOWN_IGNORED
          ? ` ${t('testData.more', { count: names.length - SHOWN_IGNORED })}`
          : ''}
      </Text>
    )
  })
}

interface ZipCasesProps extends MappingProps {
  entries: TestDataEntry[]
  /** Whether the files already have the names that the judge expects. */
  isReady: boolean
}

/** Shows which files of the zip are which case; the user can correct this by hand or by patterns. */
export function ZipCases({ entries, mapping, isReady, onCorrect }: ZipCasesProps) {
  const { t } = useTranslation()
  const count = subtaskCount(mapping)
  const cases = mapping.cases.filter(({ subtask }) => subtask !== null).length
  const unpaired = mapping.ignored.filter(({ reason }) => reason === 'unpaired').length
  const leftOut = mapping.cases.length > cases
  return (
    <details className={classes.box} open={!isReady || undefined}>
      <summary>
        {t('zipCases.found', { subtasks: count, cases, ignored: mapping.ignored.length })}
      </summary>
      {isReady ? null : (
        <Text size="sm" c="dimmed">
          {t('zipCases.renamed')}
        </Text>
      )}
      {unpaired > 0 ? (
        <Alert color="yellow">{t('zipCases.unpaired', { count: unpaired })}</Alert>
      ) : null}
      {Array.from({ length: count }, (_, subtask) => (
        // Subtasks are identified by their position.
        <MappedSubtask key={subtask} mapping={mapping} subtask={subtask} onCorrect={onCorrect} />
      ))}
      {leftOut ? <MappedSubtask mapping={mapping} subtask={null} onCorrect={onCorrect} /> : null}
      <IgnoredFiles mapping={mapping} />
      <ZipPairing mapping={mapping} onCorrect={onCorrect} />
      <ZipPatterns entries={entries} onCorrect={onCorrect} />
    </details>
  )
}
