import { Button } from '@mantine/core'
import {
  IconDownload,
  IconEyeOff,
  IconListDetails,
  IconPencil,
  IconSend,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { type Language, LANGUAGES } from '#contract/languages'
import { QUOTA_UNLIMITED } from '#contract/limits'
import { PROBLEM_STATUS, type Problem } from '#contract/problems'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageSkeleton } from '../../components/page-skeleton.tsx'
import { Page } from '../../components/page.tsx'
import { Statement } from '../../components/statement.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { isNotFound } from '../../lib/api-error.ts'
import { apiPath, apiUrl } from '../../lib/api.ts'
import { useCourseCrumbs } from '../../lib/course-crumbs.ts'
import { useCourse } from '../../lib/course.ts'
import { problemQuery } from '../../lib/problems.ts'
import { paths } from '../../paths.ts'
import classes from './problem-page.module.css'
import { QuotaText } from '../../components/quota-text.tsx'
import { SubtaskTable } from './subtask-table.tsx'

function languagesOf({ allowedLanguage }: Problem): Language[] {
  return LANGUAGES.filter(({ mask }) => (allowedLanguage & mask) !== 0)
}

function Facts({ problem }: { problem: Problem }) {
  const { t } = useTranslation()
  const languages = languagesOf(problem)
  return (
    <dl className={`app-card ${classes.facts}`}>
      <div>
        <dt>{t('problem.quotaLeft')}</dt>
        <dd>
          <QuotaText quota={problem.quota} used={problem.quotaUsed} />
          {problem.quota !== QUOTA_UNLIMITED && problem.quotaUsed > 0 ? (
            <span className={classes.note}>
              {t('problem.quotaReset')} <TimeText at={problem.quotaResetAt} withZone />
            </span>
          ) : null}
        </dd>
      </div>
      <div>
        <dt>{t('problem.bestScore')}</dt>
        <dd>{problem.highScore ?? '–'}</dd>
      </div>
      <div>
        <dt>{t('problem.languages')}</dt>
        <dd>{languages.map(({ label }) => label).join(', ')}</dd>
      </div>
      {problem.tags.length > 0 ? (
        <div>
          <dt>{t('problems.tags')}</dt>
          <dd>{problem.tags.join(', ')}</dd>
        </div>
      ) : null}
    </dl>
  )
}

function Actions({ problem }: { problem: Problem }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  return (
    <>
      {problem.canManage && problem.hasTestData ? (
        <Button
          component="a"
          href={apiUrl(apiPath`/problem/${problem.problemId}/testcase`)}
          download
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
        >
          {t('problem.downloadTestData')}
        </Button>
      ) : null}
      {problem.canManage ? (
        <Button
          component={Link}
          to={paths.editProblem(course, problem.problemId)}
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden="true" />}
        >
          {t('common.edit')}
        </Button>
      ) : null}
      <Button
        component={Link}
        to={paths.submissions(course, { problemId: problem.problemId })}
        variant="default"
        leftSection={<IconListDetails size={16} aria-hidden="true" />}
      >
        {t('nav.submissions')}
      </Button>
      {problem.hasTestData ? (
        <Button
          component={Link}
          to={paths.submit(course, problem.problemId)}
          leftSection={<IconSend size={16} aria-hidden="true" />}
        >
          {t('submit.button')}
        </Button>
      ) : null}
    </>
  )
}

/** `/course/{name}/problem/{id}`. */
export function ProblemPage() {
  const { t } = useTranslation()
  const problemId = Number(useParams().problemId)
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('problems')
  const problem = useQuery(problemQuery(problemId))
  if (isNotFound(problem.error) || !Number.isInteger(problemId)) return <NotFoundPage />
  if (problem.isPending) return <PageSkeleton />
  if (problem.isError)
    return (
      <Page title={t('nav.problems')} crumbs={crumbs}>
        <ErrorBox error={problem.error} onRetry={() => void problem.refetch()} />
      </Page>
    )
  // A problem of another course has its own address.
  if (problem.data.course !== course) return <NotFoundPage />
  return (
    <Page
      title={`#${problemId} ${problem.data.problemName}`}
      crumbs={crumbs}
      actions={<Actions problem={problem.data} />}
    >
      {problem.data.status === PROBLEM_STATUS.HIDDEN ? (
        <p className={classes.notice}>
          <IconEyeOff size={16} aria-hidden="true" /> {t('problem.hiddenHelp')}
        </p>
      ) : null}
      {problem.data.hasTestData ? null : (
        <p className={classes.notice}>{t('problem.noTestData')}</p>
      )}
      <Facts problem={problem.data} />
      <div className={`app-card ${classes.statement}`}>
        <Statement description={problem.data.description} />
        <SubtaskTable subtasks={problem.data.testCase} languages={languagesOf(problem.data)} />
      </div>
    </Page>
  )
}
