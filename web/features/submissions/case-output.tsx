import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { SubmissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { FallbackBoundary } from '../../components/feedback/fallback-boundary.tsx'
import { isRefusal } from '../../lib/api/api-error.ts'
import { problemQuery } from '../../lib/queries/problems.ts'
import { outputQuery } from '../../lib/queries/submissions.ts'

const loadTexts = () => import('../../components/code/case-texts.tsx')
const CaseTexts = lazy(async () => ({ default: (await loadTexts()).CaseTexts }))

interface CaseOutputProps {
  submission: SubmissionDetail
  subtask: number
  index: number
}

/** What the program read and printed on a case, beside the expected output. */
export function CaseOutput({ submission, subtask, index }: CaseOutputProps) {
  const { t } = useTranslation()
  const judgement = submission.judgements[0]?.judgementId ?? ''
  const status = submission.tasks?.[subtask]?.cases[index]?.status
  const output = useQuery(outputQuery(submission.submissionId, judgement, subtask, index))
  const { data: problem, isPending } = useQuery(problemQuery(submission.problemId))
  // Loads the view while the output is read.
  useEffect(() => {
    loadTexts().catch(() => undefined)
  }, [])
  if (output.isPending || isPending) return <Skeleton height={90} />
  // The case passed before its subtask became samples, so its output was not kept.
  if (isRefusal(output.error, 'output_not_found'))
    return <Text size="sm">{t('error.output_not_found')}</Text>
  if (output.isLoadingError) return <ErrorBox of={output} />
  const { input, inputSize, stdout, stdoutSize, expected, expectedSize, stderr, stderrSize } =
    output.data
  return (
    <FallbackBoundary
      fallback={<Text size="sm">{t('common.wrong')}</Text>}
      loading={<Skeleton height={90} />}
    >
      <CaseTexts
        input={input === null || inputSize === null ? null : { text: input, size: inputSize }}
        own={{ text: stdout, size: stdoutSize }}
        expected={{ text: expected, size: expectedSize }}
        stderr={{ text: stderr, size: stderrSize }}
        // If the problem is hidden by now, lines are compared in the default mode.
        compare={problem?.compare ?? { mode: 'lines' }}
        isWhole={status === STATUS.AC || status === STATUS.WA}
      />
    </FallbackBoundary>
  )
}
