import { Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { hasFactors } from '#contract/languages'
import type { LanguageData } from '#contract/languages/language'
import type { Subtask } from '#contract/problems'
import { TableBox } from '../../components/table-box.tsx'
import { kbToMb } from '../../lib/format.ts'
import classes from './problem-page.module.css'

interface SubtaskTableProps {
  subtasks: Subtask[]
  /** The problem's; those with other limits than the table's are named below it. */
  languages: LanguageData[]
}

/** Cases, score and limits of each subtask; time in ms, memory in MB. */
export function SubtaskTable({ subtasks, languages }: SubtaskTableProps) {
  const { t } = useTranslation()
  const others = languages.filter((language) => hasFactors(language))
  return (
    <section className={classes.subtasks}>
      <Title order={2} mb="xs">
        {t('problem.subtasks')}
      </Title>
      <TableBox className="app-cards">
        <table>
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col" className="numeric">
                {t('problemForm.caseCount')}
              </th>
              <th scope="col" className="numeric">
                {t('problemForm.taskScore')}
              </th>
              <th scope="col" className="numeric">
                {t('problemForm.timeMs')}
              </th>
              <th scope="col" className="numeric">
                {t('problemForm.memoryMb')}
              </th>
            </tr>
          </thead>
          <tbody>
            {subtasks.map((subtask, index) => (
              // Subtasks are known by their position.
              <tr key={index}>
                <td data-label="#">
                  {index}
                  {subtask.taskScore === 0 ? ` (${t('problem.sampleTask')})` : ''}
                </td>
                <td className="numeric" data-label={t('problemForm.caseCount')}>
                  {subtask.caseCount}
                </td>
                <td className="numeric" data-label={t('problemForm.taskScore')}>
                  {subtask.taskScore}
                </td>
                <td className="numeric" data-label={t('problemForm.timeMs')}>
                  {subtask.timeLimit}
                </td>
                <td className="numeric" data-label={t('problemForm.memoryMb')}>
                  {kbToMb(subtask.memoryLimit)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      {others.map(({ id, label, timeFactor, memoryFactor }) => (
        <p key={id} className={classes.factor}>
          {t('problem.factor', { language: label, time: timeFactor, memory: memoryFactor })}
        </p>
      ))}
    </section>
  )
}
