import { Button, Title } from '@mantine/core'
import { IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { languageOf } from '#contract/languages'
import type { SubmissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { call } from '../../lib/api/call.ts'
import { CompileNotes } from '../../components/code/compile-notes.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { StaffButtons } from '../../components/homeworks/staff-buttons.tsx'
import { NoHostNotice } from '../../components/judging/no-host-notice.tsx'
import { PageSkeleton } from '../../components/feedback/page-skeleton.tsx'
import { Page } from '../../components/page/page.tsx'
import { SameMistakes } from '../../components/problem/same-mistakes.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { isNotFound } from '../../lib/api/api-error.ts'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { useLive } from '../../lib/live/live.ts'
import { pollingIntervalMs } from '../../lib/api/polling.ts'
import { queryClient, refresh } from '../../lib/api/query-client.ts'
import { useSession } from '../../lib/session/session.ts'
import { submissionQuery } from '../../lib/queries/submissions.ts'
import { paths } from '../../paths.ts'
import { CompileMessage } from './compile-message.tsx'
import { EditAgain } from './edit-again.tsx'
import { Hints } from './hints.tsx'
import { JudgeErrorReason } from './judge-error-reason.tsx'
import { Judgements } from './judgements.tsx'
import { LiveStatus } from './live-status.tsx'
import { HomeworkProgress, NextButton, useNextProblem } from './next-problem.tsx'
import { subtasksRun } from './output-rules.ts'
import { SourceView } from './source-view.tsx'
import { SubmissionCounts } from './submission-counts.tsx'
import { SubmissionFacts } from './submission-facts.tsx'
import { SubmissionGiven } from './submission-given.tsx'
import classes from './submission-page.module.css'
import { SubtaskResults } from './subtask-results.tsx'

function isPending(submission: SubmissionDetail | undefined): boolean {
  return submission?.status === STATUS.PENDING
}

/** Handles the server's live hints about the submission: shows progress at once, and reads everything else again. @returns whether live hints come */
function useLiveHints(submissionId: string): boolean {
  const { queryKey } = submissionQuery(submissionId)
  const { user } = useSession()
  const known = useQuery({ ...submissionQuery(submissionId), enabled: false }).data
  return useLive(known !== undefined && known.user.username === user?.username, (told) => {
    if (told !== null && (told.kind !== 'submission' || told.submissionId !== submissionId)) return
    const { progress = null } = told ?? {}
    if (progress !== null && isPending(queryClient.getQueryData(queryKey)))
      queryClient.setQueryData(queryKey, (before) => before && { ...before, progress })
    else if (told !== null || isPending(queryClient.getQueryData(queryKey)))
      void refresh(queryKey, ['submissions'])
  })
}

/** Reads the submission until it has a verdict: on live hints, else by polling. */
function useLiveSubmission(submissionId: string) {
  const waitingSince = useRef<number>(null)
  const live = useLiveHints(submissionId)
  return useQuery({
    ...submissionQuery(submissionId),
    staleTime: 0,
    refetchIntervalInBackground: true,
    refetchInterval: (query) => {
      if (!isPending(query.state.data)) {
        waitingSince.current = null
        return false
      }
      waitingSince.current ??= Date.now()
      // A live hint may have come before the first answer, so the submission is read again soon.
      const isSure = live && query.state.dataUpdateCount > 1
      const waitedMs = Date.now() - waitingSince.current
      const place = query.state.data?.progress?.position
      return pollingIntervalMs(waitedMs, document.hidden, isSure, place)
    },
  })
}

function useRejudge(submissionId: string) {
  return useMutation({
    mutationFn: () => call('POST /submission/:id/rejudge', { params: { id: submissionId } }),
    onSuccess: async () => {
      await refresh(submissionQuery(submissionId).queryKey, ['submissions'])
    },
  })
}

/** Ends the judging of a waiting submission: staff may do so for any, authors for their own until its first result. */
function CancelOne({ submission }: { submission: SubmissionDetail }) {
  const { t } = useTranslation()
  const { user } = useSession()
  const { submissionId, canRejudge } = submission
  const isOwn = submission.user.username === user?.username
  const isFirstJudged = submission.judgements.every(({ status }) => status < 0)
  const cancelling = useMutation({
    mutationFn: () => call('POST /submission/:id/cancel', { params: { id: submissionId } }),
    onSettled: () => refresh(submissionQuery(submissionId).queryKey, ['submissions'], ['problem']),
  })
  if (!isPending(submission) || !(canRejudge || (isOwn && isFirstJudged))) return null

  return (
    <>
      <Button
        variant="default"
        loading={cancelling.isPending}
        leftSection={<IconPlayerStop size={16} aria-hidden="true" />}
        onClick={() => cancelling.mutate()}
      >
        {t('cancelJudging.one')}
      </Button>
      <ErrorBox of={cancelling} />
    </>
  )
}

/** Leads staff to everybody whose last failing try made the same mistake. */
function WhoElse({ submission }: { submission: SubmissionDetail }) {
  const { t } = useTranslation()
  const { course, problemId, mistake = null } = submission
  if (mistake === null) return null
  return (
    <SameMistakes
      to={`${paths.problemMistakes(course, problemId)}#${mistake}`}
      label={t('hints.whoElse')}
    />
  )
}

/** Compiler message, subtasks, source and judgements, as far as there are any. */
function Details({ submission }: { submission: SubmissionDetail }) {
  const { t } = useTranslation()
  const { code, compileMessage, judgements, languageType } = submission
  const subtasks = subtasksRun(submission)
  return (
    <>
      {compileMessage ? (
        <section className={classes.section}>
          <Title order={2}>{t('submission.compileMessage')}</Title>
          <CompileMessage text={compileMessage} />
          <CompileNotes code={code} language={languageOf(languageType)} />
        </section>
      ) : null}
      {subtasks ? (
        <section className={classes.section}>
          <Title order={2}>{t('problem.subtasks')}</Title>
          <SubtaskResults submission={submission} subtasks={subtasks} />
        </section>
      ) : null}
      <section className={classes.section}>
        <SourceView submission={submission} />
      </section>
      {judgements.length > 1 ? (
        <section className={classes.section}>
          <Title order={2}>{t('submission.judgements')}</Title>
          <Judgements judgements={judgements} />
        </section>
      ) : null}
    </>
  )
}

/** `/course/{name}/submission/{id}`: live until the verdict is there. */
export function SubmissionPage() {
  const { t } = useTranslation()
  const { submissionId = '' } = useParams()
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('submissions')
  const query = useLiveSubmission(submissionId)
  const again = useRejudge(submissionId)
  const submission = query.data
  const next = useNextProblem(submission)
  if (isNotFound(query.error)) return <NotFoundPage />
  if (query.isPending) return <PageSkeleton />
  if (submission === undefined)
    return (
      <Page title={t('submission.one')} crumbs={crumbs}>
        <ErrorBox of={query} />
      </Page>
    )
  if (submission.course !== course) return <NotFoundPage />
  const { problemName, tryNumber } = submission
  const title =
    tryNumber === null
      ? problemName
      : `${problemName} · ${t('submission.try', { count: tryNumber, ordinal: true })}`
  return (
    <Page
      title={title}
      crumbs={crumbs}
      actions={
        <>
          {next ? <NextButton of={next} /> : null}
          <EditAgain submission={submission} variant={next ? 'default' : 'filled'} />
          <CancelOne submission={submission} />
          {submission.canRejudge ? (
            <Button
              variant="default"
              loading={again.isPending}
              leftSection={<IconRefresh size={16} aria-hidden="true" />}
              onClick={() => again.mutate()}
            >
              {t('submission.rejudge')}
            </Button>
          ) : null}
          <WhoElse submission={submission} />
          <StaffButtons problemId={submission.problemId} student={submission.user} />
        </>
      }
    >
      <ErrorBox of={again} />
      <NoHostNotice when={submission.progress?.estimateSeconds === null} />
      <LiveStatus submission={submission} />
      <Hints key={submissionId} submission={submission} />
      {next ? <HomeworkProgress of={next} /> : null}
      <SubmissionCounts submission={submission} />
      <SubmissionFacts submission={submission} />
      <SubmissionGiven submission={submission} />
      <JudgeErrorReason submission={submission} />
      <Details submission={submission} />
    </Page>
  )
}
