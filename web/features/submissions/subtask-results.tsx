import { Button, Group, Text } from '@mantine/core'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languageOf } from '#contract/languages'
import type { SubmissionDetail } from '#contract/submissions'
import { STATUS, type CaseResult, type SubtaskResult } from '#contract/verdicts'
import { ScoreText } from '../../components/judging/score-text.tsx'
import { VerdictBadge } from '../../components/judging/verdict-badge.tsx'
import { TableBox } from '../../components/lists/table-box.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { adviceOf } from './case-advice.ts'
import { MeasureCells, MeasureHeads } from './measure-cells.tsx'
import { CaseOutput } from './case-output.tsx'
import { memoryText, timeText } from '../../lib/format/measures.ts'
import { firstVisibleFailure, hasOutput } from './output-rules.ts'
import classes from './submission-page.module.css'

/** With more subtasks than this, all passed ones stand together after the failed ones. */
const MANY_SUBTASKS = 6

interface SubtaskResultProps {
  submission: SubmissionDetail
  subtask: SubtaskResult
  subtaskIndex: number
}

interface CasesProps extends SubtaskResultProps {
  /** The case whose output is open at first. */
  openedCase: number | null
}

interface OutputButtonProps {
  isOpen: boolean
  subtaskIndex: number
  index: number
  onClick: () => void
}

function OutputButton({ isOpen, subtaskIndex, index, onClick }: OutputButtonProps) {
  const { t } = useTranslation()
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-expanded={isOpen}
      aria-label={t(isOpen ? 'submission.hideOutputOf' : 'submission.showOutputOf', {
        task: subtaskIndex,
        case: index,
      })}
      onClick={onClick}
    >
      {t(isOpen ? 'submission.hideOutput' : 'submission.showOutput')}
    </Button>
  )
}

/** A row that says what to look at after a case that failed. */
function CaseAdvice({ result, submission }: { result: CaseResult; submission: SubmissionDetail }) {
  const { t } = useTranslation()
  const { languageType, code } = submission
  const advice = adviceOf(result, languageType, code)
  if (advice.length === 0) return null
  const { streams } = languageOf(languageType)
  return (
    <tr>
      <td colSpan={5} className={classes.advice} data-wide>
        {advice.map((name) => (
          <div key={name}>{t(`submission.advice.${name}`, streams)}</div>
        ))}
      </td>
    </tr>
  )
}

function Cases({ submission, subtask, subtaskIndex, openedCase }: CasesProps) {
  const { t } = useTranslation()
  const { may } = useCourse()
  const [opened, setOpened] = useState(openedCase)
  const isSample = submission.sampleTasks.includes(subtaskIndex)
  const withOutput =
    submission.hasOutputs &&
    subtask.cases.some((_, index) => hasOutput(subtask, index, isSample, may('submission.readAll')))
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
          {subtask.cases.map((result, index) => (
            // Cases are identified by their position.
            <Fragment key={index}>
              <tr>
                <td data-label={t('submission.case')}>{index}</td>
                <td>
                  <VerdictBadge status={result.status} />
                </td>
                <MeasureCells runTimeMs={result.runTime} memoryKb={result.memoryUsage} />
                {withOutput ? (
                  <td className={classes.show}>
                    {hasOutput(subtask, index, isSample, may('submission.readAll')) ? (
                      <OutputButton
                        isOpen={opened === index}
                        subtaskIndex={subtaskIndex}
                        index={index}
                        onClick={() => setOpened(opened === index ? null : index)}
                      />
                    ) : null}
                  </td>
                ) : null}
              </tr>
              <CaseAdvice result={result} submission={submission} />
              {opened === index ? (
                <tr>
                  <td colSpan={5} data-wide>
                    <CaseOutput submission={submission} subtask={subtaskIndex} index={index} />
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

interface SubtaskProps extends CasesProps {
  openAtFirst: boolean
}

/** The subtask's score and its full score, which are the same for a passed subtask. */
function SubtaskScore({ submission, subtask, subtaskIndex }: SubtaskResultProps) {
  const { t } = useTranslation()
  const { status, score } = subtask
  const full = status === STATUS.AC ? score : submission.taskScores?.[subtaskIndex]
  if (full === 0) return <span>{t('submission.unscored')}</span>
  if (full === undefined) return <span>{t('common.points', { count: score })}</span>
  return <ScoreText score={score} full={full} />
}

/** One subtask; its cases render once it is opened. */
function Subtask({ openAtFirst, ...props }: SubtaskProps) {
  const { t } = useTranslation()
  const { submission, subtask, subtaskIndex } = props
  const [wasOpened, setWasOpened] = useState(openAtFirst)
  return (
    <details
      className={`app-card ${classes.subtask}`}
      open={openAtFirst}
      onToggle={() => setWasOpened(true)}
    >
      <summary>
        {/* As wide as the longest label, so that the verdicts stand in one column. */}
        <Text span miw={submission.sampleTasks.length > 0 ? 160 : 92} fw={600}>
          {t('problemForm.subtask', { number: subtaskIndex })}
          {submission.sampleTasks.includes(subtaskIndex) ? ` · ${t('problem.sampleTask')}` : ''}
        </Text>
        <VerdictBadge status={subtask.status} />
        <Group component="span" gap="2px 18px" ml="auto" fz="sm" c="dimmed">
          <SubtaskScore {...props} />
          <span>{timeText(subtask.runTime)}</span>
          <span>{memoryText(subtask.memoryUsage)}</span>
        </Group>
      </summary>
      {wasOpened ? <Cases {...props} /> : null}
    </details>
  )
}

/**
 * Every subtask with its cases. At first only the first failed subtask, and the subtask with the first visible failure,
 * are open, because a problem may have thousands of cases.
 */
export function SubtaskResults(props: { submission: SubmissionDetail; subtasks: SubtaskResult[] }) {
  const { submission, subtasks } = props
  const { t } = useTranslation()
  const { may } = useCourse()
  const hasFailed = ({ status }: SubtaskResult) => status !== STATUS.AC && status !== STATUS.CE
  const firstFailed = subtasks.findIndex(hasFailed)
  const visible = firstVisibleFailure(submission, may('submission.readAll'))

  function row(subtask: SubtaskResult, index: number) {
    const openedCase = visible?.subtask === index ? visible.index : null
    const openAtFirst = index === firstFailed || openedCase !== null
    return (
      <Subtask
        // Subtasks are identified by their position; a new judgement may open another one.
        key={`${index} ${openAtFirst} ${openedCase}`}
        submission={submission}
        subtask={subtask}
        subtaskIndex={index}
        openAtFirst={openAtFirst}
        openedCase={openedCase}
      />
    )
  }

  const rows = subtasks.map((subtask, index) => ({
    failed: hasFailed(subtask),
    row: row(subtask, index),
  }))
  const passed = rows.filter(({ failed }) => !failed)
  if (subtasks.length <= MANY_SUBTASKS || passed.length === subtasks.length || passed.length < 2)
    return rows.map((each) => each.row)
  return (
    <>
      {rows.filter(({ failed }) => failed).map((each) => each.row)}
      <details className={classes.passed}>
        <summary>{t('submission.passedSubtasks', { count: passed.length })}</summary>
        {passed.map((each) => each.row)}
      </details>
    </>
  )
}
