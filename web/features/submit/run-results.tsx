import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Problem } from '#contract/problems'
import type { RunCase } from '#contract/judging/sample-runs'
import { STATUS } from '#contract/verdicts'
import { CaseTexts } from '../../components/code/case-texts.tsx'
import { CompileNotes } from '../../components/code/compile-notes.tsx'
import { CompilePieces } from '../../components/code/compile-pieces.tsx'
import { VerdictBadge } from '../../components/judging/verdict-badge.tsx'
import { memoryText, timeText } from '../../lib/format/measures.ts'
import classes from './run-panel.module.css'
import type { AskedInput, SampleRunState } from './use-sample-run.ts'

const encoder = new TextEncoder()
const textOf = (text: string, size = encoder.encode(text).length) => ({ text, size })

interface CaseResultProps {
  result: RunCase
  input: AskedInput | undefined
  compare: Problem['compare']
  isOpen: boolean
}

/** Scrolls the results to the case that is open at first. */
function showCase(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

/** How the run on one input ended, and what it printed. */
function CaseResult({ result, input, compare, isOpen }: CaseResultProps) {
  const { t } = useTranslation()
  const { status, matches, output, runTime, memoryUsage } = result
  const isUndecided = status === null || status === STATUS.JE
  const endedWell = matches === null && status === STATUS.AC
  return (
    <details className={classes.case} open={isOpen} ref={isOpen ? showCase : undefined}>
      <summary>
        <span>{t(input?.isSample ? 'run.sample' : 'run.ownInput', { number: input?.number })}</span>
        {endedWell ? <span>{t('run.endedWell')}</span> : <VerdictBadge status={status} />}
        <Text span fz="0.8125rem" c="dimmed">
          {timeText(runTime)} · {memoryText(memoryUsage)}
        </Text>
      </summary>
      {output ? (
        <CaseTexts
          input={textOf(input?.text ?? '')}
          own={textOf(output.stdout, output.stdoutSize)}
          expected={matches === null ? null : textOf(output.expected, output.expectedSize)}
          stderr={textOf(output.stderr, output.stderrSize)}
          compare={compare}
          isWhole={status === STATUS.AC || status === STATUS.WA}
        />
      ) : isUndecided ? null : (
        <p>{t('run.notKept')}</p>
      )}
    </details>
  )
}

interface RunResultsProps {
  problem: Problem
  sampleRun: SampleRunState
  onLine: (line: number) => void
}

/**
 * What the last run printed, each output beside the expected one; the first wrong sample is open, or the own inputs if
 * no sample is wrong.
 */
export function RunResults({ problem, sampleRun, onLine }: RunResultsProps) {
  const { t } = useTranslation()
  const { run, program, inputs } = sampleRun
  const firstWrong = run?.cases.findIndex(({ matches }) => matches === false) ?? -1
  return (
    <>
      {run?.compileMessage ? (
        <figure className={classes.message} aria-label={t('run.compileMessage')}>
          <pre tabIndex={0}>
            <CompilePieces text={run.compileMessage}>
              {(place, line) => (
                <button type="button" className={classes.place} onClick={() => onLine(line)}>
                  {place}
                </button>
              )}
            </CompilePieces>
          </pre>
        </figure>
      ) : null}
      {run?.compileMessage && program ? (
        <CompileNotes code={program.text} language={program.language} />
      ) : null}
      {run?.cases.map((result, index) => (
        <CaseResult
          // Inputs are identified by their position.
          key={`${run.runId}-${index}`}
          result={result}
          input={inputs[index]}
          compare={problem.compare}
          isOpen={firstWrong < 0 ? result.matches === null : index === firstWrong}
        />
      ))}
    </>
  )
}
