import { Box, Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { REJUDGE } from '#contract/limits'
import type { Problem } from '#contract/problems'
import { Announced } from '../../components/feedback/announced.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { RejudgePanel } from '../../components/judging/rejudge-panel.tsx'
import classes from '../../components/judging/rejudge-panel.module.css'
import { refresh } from '../../lib/api/query-client.ts'
import { useKnownOperation } from '../../lib/queries/operations.ts'
import { problemRejudgeQuery, startRejudge } from '../../lib/queries/rejudges.ts'
import { rejudgePath } from './rejudge-path.ts'

interface EarlierResultsProps {
  problem: Problem
  count: number
  onStart: (operationId: string) => void
}

/** The number of results from earlier test data, and the button that judges them again. */
function EarlierResults({ problem, count, onStart }: EarlierResultsProps) {
  const { t } = useTranslation()
  const start = useMutation({
    mutationFn: () =>
      startRejudge(rejudgePath(problem.problemId), { earlierOnly: true, apply: false }),
    onSuccess: ({ jobId }) => onStart(jobId),
  })
  const isAll = count < REJUDGE.mostCounted
  return (
    <Box component="section" mt={12} className={classes.box} aria-label={t('rejudge.earlierName')}>
      <Announced when className={classes.text}>
        {t(isAll ? 'rejudge.earlier' : 'rejudge.earlierMany', { count })}
      </Announced>
      {problem.hasTestData ? (
        <Button
          size="xs"
          variant="default"
          ml="auto"
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          {t('rejudge.again')}
        </Button>
      ) : null}
      <span className={classes.hint}>
        {t(problem.hasTestData ? 'rejudge.help' : 'rejudge.noTestData')}
      </span>
      <ErrorBox of={start} />
    </Box>
  )
}

/** For staff: the rejudge of a problem, and the number of results from earlier test data. */
export function ProblemRejudge({ problem }: { problem: Problem }) {
  const { problemId } = problem
  const path = rejudgePath(problemId)
  const { know } = useKnownOperation(path)
  const { data } = useQuery(problemRejudgeQuery(problemId))
  const earlierCount = data?.earlierCount ?? 0

  function onStart(started: string) {
    know(started)
    void refresh(problemRejudgeQuery(problemId).queryKey)
  }

  return (
    <>
      <RejudgePanel path={path} currentId={data?.jobId} />
      {earlierCount === 0 ? null : (
        <EarlierResults problem={problem} count={earlierCount} onStart={onStart} />
      )}
    </>
  )
}
