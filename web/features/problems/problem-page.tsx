import { Skeleton, Text } from '@mantine/core'
import { IconChartBar, IconEyeOff, IconListDetails, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { type Language, LANGUAGES } from '#contract/languages'
import { QUOTA_UNLIMITED } from '#contract/limits'
import { PROBLEM_STATUS, type Problem } from '#contract/problems'
import { CompareNote } from '../../components/problem/compare-note.tsx'
import { Facts } from '../../components/display/facts.tsx'
import { FallbackBoundary } from '../../components/feedback/fallback-boundary.tsx'
import { LinkButton } from '../../components/page/link-button.tsx'
import { useMarkdownSoon } from '../../components/markdown/markdown.tsx'
import { Page } from '../../components/page/page.tsx'
import { ProblemMark } from '../../components/problem/problem-mark.tsx'
import { QuotaText } from '../../components/problem/quota-text.tsx'
import { AskSection } from '../../components/questions/ask-section.tsx'
import { Statement } from '../../components/problem/statement.tsx'
import { ScoreText } from '../../components/judging/score-text.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { markOfProblem } from '../../lib/format/marks.ts'
import { limitsText } from '../../lib/format/measures.ts'
import { problemQuery } from '../../lib/queries/problems.ts'
import { paths } from '../../paths.ts'
import { ProblemHead } from './read/problem-head.tsx'
import classes from './problem-page.module.css'
import { SubtaskTable } from './read/subtask-table.tsx'

/** Loaded for staff only. */
const ManageMenu = lazy(async () => ({
  default: (await import('./read/manage-menu.tsx')).ManageMenu,
}))
const ProblemRejudge = lazy(async () => ({
  default: (await import('./problem-rejudge.tsx')).ProblemRejudge,
}))

function languagesOf({ allowedLanguage }: Problem): Language[] {
  return LANGUAGES.filter(({ mask }) => (allowedLanguage & mask) !== 0)
}

function ProblemFacts({ problem }: { problem: Problem }) {
  const { t } = useTranslation()
  const quota = (
    <>
      <QuotaText quota={problem.ownQuota} used={problem.quotaUsed} />
      {problem.ownQuota !== QUOTA_UNLIMITED && problem.quotaUsed > 0 ? (
        <Text span ml={8} fz="0.8125rem" c="dimmed">
          {t('problem.quotaReset')} <TimeText at={problem.quotaResetAt} withZone />
        </Text>
      ) : null}
    </>
  )
  const facts = [
    {
      label: t('problem.bestScore'),
      value: problem.highScore === null ? '–' : <ScoreText score={problem.highScore} />,
      isKey: problem.highScore !== null,
    },
    { label: t('problem.quotaLeft'), value: quota },
    { label: t('mark.title'), value: <ProblemMark mark={markOfProblem(problem)} /> },

    { label: t('problem.limits'), value: limitsText(problem.testCase) },
    {
      label: t('problem.languages'),
      value: languagesOf(problem)
        .map(({ label }) => label)
        .join(', '),
    },
  ]
  const tags = { label: t('problems.tags'), value: problem.tags.join(', ') }
  return <Facts facts={problem.tags.length > 0 ? [...facts, tags] : facts} />
}

function Actions({ problem }: { problem: Problem }) {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const looks = (
    <>
      <LinkButton
        to={paths.problemStats(course, problem.problemId)}
        Icon={IconChartBar}
        label={t('common.stats')}
      />
      <LinkButton
        to={paths.submissions(course, { problemId: problem.problemId })}
        Icon={IconListDetails}
        label={t('nav.submissions')}
      />
    </>
  )
  return (
    <>
      {problem.canManage ? (
        <FallbackBoundary fallback={looks} loading={<Skeleton height={36} width={190} />}>
          <ManageMenu problem={problem}>{looks}</ManageMenu>
        </FallbackBoundary>
      ) : (
        looks
      )}
      {problem.hasTestData && may('submission.create') ? (
        <LinkButton
          to={paths.submit(course, problem.problemId)}
          Icon={IconSend}
          label={t('submit.button')}
          variant="filled"
        />
      ) : null}
    </>
  )
}

/** `/course/{name}/problem/{id}`. */
export function ProblemPage() {
  useMarkdownSoon()
  const { t } = useTranslation()
  const problemId = Number(useParams().problemId)
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('problems')
  const query = useQuery(problemQuery(problemId))
  if (!Number.isInteger(problemId)) return <NotFoundPage />
  return (
    <LoadedPage
      query={query}
      title={t('nav.problems')}
      crumbs={crumbs}
      isHere={(problem) => problem.course === course}
    >
      {(problem) => (
        <Page
          title={`#${problemId} ${problem.problemName}`}
          crumbs={crumbs}
          actions={<Actions problem={problem} />}
        >
          {problem.status === PROBLEM_STATUS.HIDDEN ? (
            <p className={classes.notice}>
              <IconEyeOff size={16} aria-hidden="true" /> {t('problem.hiddenHelp')}
            </p>
          ) : null}
          {problem.hasTestData ? null : <p className={classes.notice}>{t('problem.noTestData')}</p>}
          {problem.canManage ? (
            <FallbackBoundary fallback={null}>
              <ProblemRejudge key={problemId} problem={problem} />
            </FallbackBoundary>
          ) : null}
          <ProblemHead problem={problem} />
          <ProblemFacts problem={problem} />
          <div className={`app-card ${classes.statement}`}>
            <Statement
              description={problem.description}
              name={`${problemId} ${problem.problemName}`}
              files={problem.files}
            />
            <CompareNote compare={problem.compare} />
            <SubtaskTable subtasks={problem.testCase} languages={languagesOf(problem)} />
          </div>
          <AskSection problemId={problemId} />
        </Page>
      )}
    </LoadedPage>
  )
}
