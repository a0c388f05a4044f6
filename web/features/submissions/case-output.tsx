import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ShownCompareMode } from '#contract/compare'
import type { SubmissionDetail } from '#contract/submissions'
import { ErrorBox } from '../../components/error-box.tsx'
import { LineBlocks } from '../../components/line-blocks.tsx'
import { formatBytes } from '../../lib/format.ts'
import { outputQuery } from './api.ts'
import { problemQuery } from '../../lib/problems.ts'
import {
  compareLines,
  marksLines,
  visibleControls,
  visibleSpace,
  type ComparedLine,
} from './compare-lines.ts'
import classes from './submission-page.module.css'

interface StreamProps {
  label: string
  size: number
  shownBytes: number
  lines: ComparedLine[]
  mark: 'own' | 'expected'
}

function Stream({ label, size, shownBytes, lines, mark }: StreamProps) {
  const { t } = useTranslation()

  function renderLine(index: number) {
    const { text = '', differs = false } = lines[index] ?? {}
    return (
      <span key={index} className={classes.outputLine} data-differs={differs ? mark : undefined}>
        {differs ? visibleSpace(text) : visibleControls(text)}
      </span>
    )
  }

  return (
    <figure className={classes.output}>
      <figcaption>
        {label} ({formatBytes(size)}
        {shownBytes < size ? `, ${t('submission.cut', { size: formatBytes(shownBytes) })}` : ''})
      </figcaption>
      <pre tabIndex={0}>
        <LineBlocks lines={lines.map(({ text }) => text)} renderLine={renderLine} />
      </pre>
    </figure>
  )
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

interface CaseOutputProps {
  submission: SubmissionDetail
  subtask: number
  index: number
}

/** The program's output on a case beside the expected one. */
export function CaseOutput({ submission, subtask, index }: CaseOutputProps) {
  const { t } = useTranslation()
  const judgement = submission.judgements[0]?.judgementId ?? ''
  const output = useQuery(outputQuery(submission.submissionId, judgement, subtask, index))
  // If the problem is hidden by now, lines are compared in the default mode.
  const { data: problem, isPending } = useQuery(problemQuery(submission.problemId))
  const compare: ShownCompareMode = problem?.compare ?? { mode: 'lines' }
  if (output.isPending || isPending) return <Skeleton height={90} />
  if (output.isError) return <ErrorBox of={output} />
  const { stdout, stdoutSize, expected, expectedSize, stderr, stderrSize } = output.data
  const { mode } = compare
  return (
    <>
      {marksLines(mode) ? null : (
        <p className={classes.compareNote}>{t(`submission.unmarked.${mode}`)}</p>
      )}
      <div className={classes.outputs}>
        <Stream
          label={t('submission.ownOutput')}
          size={stdoutSize}
          shownBytes={byteLength(stdout)}
          lines={compareLines(stdout, expected, mode)}
          mark="own"
        />
        <Stream
          label={t(
            mode === 'interactor' ? 'submission.interactorOutput' : 'submission.expectedOutput',
          )}
          size={expectedSize}
          shownBytes={byteLength(expected)}
          lines={compareLines(expected, stdout, mode)}
          mark="expected"
        />
        {stderrSize > 0 ? (
          <Stream
            label={t('submission.errorOutput')}
            size={stderrSize}
            shownBytes={byteLength(stderr)}
            lines={compareLines(stderr, stderr)}
            mark="own"
          />
        ) : null}
      </div>
    </>
  )
}
