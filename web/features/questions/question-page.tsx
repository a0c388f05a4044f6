import { IconCode, IconPuzzle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { StaffButtons } from '../../components/homeworks/staff-buttons.tsx'
import { LinkButton } from '../../components/page/link-button.tsx'
import { Page } from '../../components/page/page.tsx'
import { Thread } from '../../components/questions/thread.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { questionPath, questionQuery } from '../../lib/queries/questions.ts'
import { paths } from '../../paths.ts'

/** `/course/{name}/question/{id}`: one question, with a link to the problem or code that it is about. */
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
          title={t('question.about', { problem: `#${thread.problemId} ${thread.problemName}` })}
          crumbs={crumbs}
          actions={
            <>
              <LinkButton
                to={paths.problem(course, thread.problemId)}
                Icon={IconPuzzle}
                label={t('submission.problem')}
              />
              {thread.submissionId === null ? null : (
                <LinkButton
                  to={questionPath(thread)}
                  Icon={IconCode}
                  label={t('submission.source')}
                />
              )}
              <StaffButtons problemId={thread.problemId} student={thread.student} />
            </>
          }
        >
          <Thread thread={thread} isAlone />
        </Page>
      )}
    </LoadedPage>
  )
}
