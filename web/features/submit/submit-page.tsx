import { Splitter } from '@mantine/core'
import type { SplitterPaneSize } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { Problem } from '#contract/problems'
import { CompareNote } from '../../components/problem/compare-note.tsx'
import { NoHostNotice } from '../../components/judging/no-host-notice.tsx'
import { PageSkeleton } from '../../components/feedback/page-skeleton.tsx'
import { useMarkdownSoon } from '../../components/markdown/markdown.tsx'
import { Page } from '../../components/page/page.tsx'
import { Statement } from '../../components/problem/statement.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { problemQuery } from '../../lib/queries/problems.ts'
import { useSession } from '../../lib/session/session.ts'
import { readStored, STORAGE_KEYS, writeStored } from '../../lib/storage.ts'
import { paths } from '../../paths.ts'
import { PhoneTabs } from './phone-tabs.tsx'
import { SubmitForm } from './submit-form.tsx'
import classes from './submit-page.module.css'

/** The statement's part of the width in per cent until the user drags it. */
const STATEMENT_PERCENT = 40

/** The statement's part of the width in per cent, as the user dragged it last. */
function useSplit() {
  const [percent, setPercent] = useState(
    () => Number(readStored(STORAGE_KEYS.submitSplit)) || STATEMENT_PERCENT,
  )
  function keep([statement]: SplitterPaneSize[]) {
    setPercent(Number(statement))
    writeStored(STORAGE_KEYS.submitSplit, String(statement))
  }
  return { sizes: [percent, 100 - percent], onSizeChange: keep }
}

function SubmitView({ problem, username }: { problem: Problem; username: string }) {
  const { t } = useTranslation()
  const { course, problemId, problemName } = problem
  const [tab, setTab] = useState<'statement' | 'code'>('code')
  const name = `#${problemId} ${problemName}`
  return (
    <Page
      title={t('submit.title')}
      heading={t('submit.heading', { name })}
      fills
      crumbs={[
        ...useCourseCrumbs('problems'),
        { label: name, to: paths.problem(course, problemId) },
      ]}
    >
      <PhoneTabs
        tabs={{
          statement: { label: t('submit.statement'), panel: 'statement' },
          code: { label: t('submit.code'), panel: 'code' },
        }}
        chosen={tab}
        onChoose={setTab}
      />
      <Splitter
        {...useSplit()}
        className={classes.columns}
        data-fills
        data-tab={tab}
        attributes={{ handle: { 'aria-label': t('submit.split') } }}
      >
        <Splitter.Pane defaultSize={STATEMENT_PERCENT} min={20} className={classes.statementPane}>
          <aside
            id="statement"
            className={`app-card ${classes.statement}`}
            aria-label={t('submit.statement')}
          >
            <Statement
              description={problem.description}
              name={`${problemId} ${problemName}`}
              files={problem.files}
            />
            <CompareNote compare={problem.compare} />
          </aside>
        </Splitter.Pane>
        <Splitter.Pane defaultSize={100 - STATEMENT_PERCENT} min={30} className={classes.codePane}>
          <div id="code" className={classes.code}>
            <NoHostNotice when={!problem.hasJudgeHost} />
            {problem.hasTestData ? null : (
              <p className={classes.noTestData}>{t('problem.noTestData')}</p>
            )}
            <SubmitForm key={`${problemId}:${username}`} problem={problem} username={username} />
          </div>
        </Splitter.Pane>
      </Splitter>
    </Page>
  )
}

/** `/course/{name}/problem/{id}/submit`: the statement beside the editor, or each in a tab; buttons and results always in sight. */
export function SubmitPage() {
  useMarkdownSoon()
  const { t } = useTranslation()
  const problemId = Number(useParams().problemId)
  const { course } = useCourse()
  const { user } = useSession()
  const listCrumbs = useCourseCrumbs('problems')
  const query = useQuery(problemQuery(problemId))
  if (!Number.isInteger(problemId)) return <NotFoundPage />
  if (user === null) return <PageSkeleton />
  return (
    <LoadedPage
      query={query}
      title={t('submit.title')}
      crumbs={listCrumbs}
      isHere={(problem) => problem.course === course}
    >
      {(problem) => <SubmitView problem={problem} username={user.username} />}
    </LoadedPage>
  )
}
