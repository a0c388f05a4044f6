import type { TFunction } from 'i18next'
import { IconCode, IconPuzzle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { Question } from '#contract/questions'
import { StaffButtons } from '../../components/homeworks/staff-buttons.tsx'
import { LinkButton } from '../../components/page/link-button.tsx'
import { Page } from '../../components/page/page.tsx'
import { subjectOf } from '../../components/questions/request-state.ts'
import { Thread } from '../../components/questions/thread.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { questionPath, questionQuery } from '../../lib/queries/questions.ts'
import { paths } from '../../paths.ts'
import { MarkCard } from './mark-card.tsx'
import { RequestCard } from './request-card.tsx'

function titleOf(question: Question, t: TFunction): string {
  const subject = subjectOf(question)
  if (question.mark !== null) return t('regrade.about', { column: subject })
  return question.request === null
    ? t('question.about', { problem: subject })
    : t('requests.title', { homework: subject })
}

/** `/course/{name}/question/{id}`: one question, with a link to the problem, code, homework or mark that it is about. */
export function QuestionPage() {
  const { t } = useTranslation()
  const { questionId = '' } = useParams()
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('questions')
  const query = useQuery(questionQuery(questionId))
  return (
    <LoadedPage
      query={query}
      title={t('question.one')}
      crumbs={crumbs}
      isHere={(thread) => thread.course === course}
    >
      {(thread) => (
        <Page
          title={titleOf(thread, t)}
          crumbs={crumbs}
          actions={
            <>
              {thread.problemId === null ? null : (
                <LinkButton
                  to={paths.problem(course, thread.problemId)}
                  Icon={IconPuzzle}
                  label={t('submission.problem')}
                />
              )}
              {thread.submissionId === null ? null : (
                <LinkButton
                  to={questionPath(thread)}
                  Icon={IconCode}
                  label={t('submission.source')}
                />
              )}
              {thread.problemId === null ? null : (
                <StaffButtons problemId={thread.problemId} student={thread.student} />
              )}
            </>
          }
        >
          {thread.request === null ? null : (
            <RequestCard thread={thread} request={thread.request} />
          )}
          {thread.mark === null ? null : <MarkCard thread={thread} mark={thread.mark} />}
          <Thread thread={thread} isAlone />
        </Page>
      )}
    </LoadedPage>
  )
}
