import { Button } from '@mantine/core'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SubmissionDetail } from '#contract/submissions'
import { STATUS, type TaskResult } from '#contract/verdicts'
import { VerdictBadge } from '../../components/verdict-badge.tsx'
import { TableBox } from '../../components/table-box.tsx'
import { useCourse } from '../../lib/course.ts'
import { MeasureCells, MeasureHeads } from './measure-cells.tsx'
import { CaseOutput } from './case-output.tsx'
import { memoryText, timeText } from '../../lib/measures.ts'
import { hasOutput } from './output-rules.ts'
import classes from './submission-page.module.css'

interface CasesProps {
  submission: SubmissionDetail
  task: TaskResult
  taskIndex: number
}

function Cases({ submission, task, taskIndex }: CasesProps) {
  const { t } = useTranslation()
  const { may } = useCourse()
  const [opened, setOpened] = useState<number | null>(null)
  const isSample = submission.sampleTasks.includes(taskIndex)
  const withOutput = task.cases.some((_, index) =>
    hasOutput(task, index, isSample, may('submission.readAll')),
  )
  return (
    <TableBox className={`app-cards ${classes.cases}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('submission.case')}</th>
            <th scope="col">{t('submission.verdict')}</th>
            <MeasureHeads />
            {withOutput ? <th scope="col">{t('problem.output')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {task.cases.map((result, index) => (
            // Cases are known by their position.
            <Fragment key={index}>
              <tr>
                <td data-label={t('submission.case')}>{index}</td>
                <td>
                  <VerdictBadge status={result.status} />
                </td>
                <MeasureCells runTime={result.runTime} memoryUsage={result.memoryUsage} />
                {withOutput ? (
                  <td className={classes.show}>
                    {hasOutput(task, index, isSample, may('submission.readAll')) ? (
                      <Button
                        size="compact-xs"
                        variant="default"
                        aria-expanded={opened === index}
                        aria-label={t(
                          opened === index ? 'submission.hideOutputOf' : 'submission.showOutputOf',
                          { task: taskIndex, case: index },
                        )}
                        onClick={() => setOpened(opened === index ? null : index)}
                      >
                        {opened === index ? t('submission.hideOutput') : t('submission.showOutput')}
                      </Button>
                    ) : null}
                  </td>
                ) : null}
              </tr>
              {opened === index ? (
                <tr>
                  <td colSpan={5} data-wide>
                    <CaseOutput submission={submission} task={taskIndex} index={index} />
                  </td>
                </tr>
              ) : null}
            </Fragment>
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}

interface TaskProps extends CasesProps {
  openAtFirst: boolean
}

/** One subtask; its cases are there once it has been opened. */
function Task({ openAtFirst, ...props }: TaskProps) {
  const { t } = useTranslation()
  const { task, taskIndex } = props
  const [wasOpened, setWasOpened] = useState(openAtFirst)
  return (
    <details
      className={`app-card ${classes.task}`}
      open={openAtFirst}
      onToggle={() => setWasOpened(true)}
    >
      <summary>
        <span className={classes.taskName}>{t('problemForm.subtask', { number: taskIndex })}</span>
        <VerdictBadge status={task.status} />
        <span className={classes.taskNumbers}>
          <span>{t('submission.points', { count: task.score })}</span>
          <span>{timeText(task.runTime)}</span>
          <span>{memoryText(task.memoryUsage)}</span>
        </span>
      </summary>
      {wasOpened ? <Cases {...props} /> : null}
    </details>
  )
}

/** Every subtask with its cases; the first that failed is open. A problem may have thousands of cases. */
export function TaskResults(props: { submission: SubmissionDetail; tasks: TaskResult[] }) {
  const firstFailed = props.tasks.findIndex(
    ({ status }) => status !== STATUS.AC && status !== STATUS.CE,
  )
  return props.tasks.map((task, index) => (
    <Task
      // Subtasks are known by their position; another judgement opens another one.
      key={`${index} ${index === firstFailed}`}
      submission={props.submission}
      task={task}
      taskIndex={index}
      openAtFirst={index === firstFailed}
    />
  ))
}
