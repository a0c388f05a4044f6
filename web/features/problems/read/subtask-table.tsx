import { Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { hasFactors } from '#contract/languages'
import type { LanguageData } from '#contract/languages/language'
import type { Subtask } from '#contract/problems'
import { ListTable, type Column } from '../../../components/lists/list-table.tsx'
import { kbToMb } from '../../../lib/format/format.ts'
import classes from '../problem-page.module.css'

const NUMBERS = [
  { head: 'caseCount', of: ({ caseCount }: Subtask) => caseCount },
  { head: 'taskScore', of: ({ taskScore }: Subtask) => taskScore },
  { head: 'timeMs', of: ({ timeLimit }: Subtask) => timeLimit },
  { head: 'memoryMb', of: ({ memoryLimit }: Subtask) => kbToMb(memoryLimit) },
] as const

interface SubtaskTableProps {
  subtasks: Subtask[]
  /** The problem's languages; those with scaled limits are named below the table. */
  languages: LanguageData[]
}

/** Cases, score and limits of each subtask; time in ms, memory in MB. */
export function SubtaskTable({ subtasks, languages }: SubtaskTableProps) {
  const { t } = useTranslation()
  const others = languages.filter((language) => hasFactors(language))
  const columns: Column<Subtask>[] = [
    {
      head: '#',
      isLabelled: true,
      renderCell: ({ sample }, index) => (sample ? `${index} (${t('problem.sampleTask')})` : index),
    },
    ...NUMBERS.map(({ head, of }): Column<Subtask> => ({
      head: t(`problemForm.${head}`),
      isNumeric: true,
      isLabelled: true,
      renderCell: of,
    })),
  ]
  return (
    <section className={classes.subtasks}>
      <Title order={2} mb="xs">
        {t('problem.subtasks')}
      </Title>
      <ListTable
        className="app-cards"
        columns={columns}
        rows={subtasks}
        // Subtasks are identified by their position.
        keyOf={(_, index) => index}
      />
      {others.map(({ id, label, timeFactor, memoryFactor }) => (
        <p key={id}>
          {t('problem.factor', { language: label, time: timeFactor, memory: memoryFactor })}
        </p>
      ))}
    </section>
  )
}
