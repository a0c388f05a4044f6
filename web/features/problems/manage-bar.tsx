import { Button } from '@mantine/core'
import { IconDownload, IconGitCompare, IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Problem } from '#contract/problems'
import { STATUS } from '#contract/verdicts'
import { LinkButton } from '../../components/link-button.tsx'
import { ConfirmDelete } from '../../components/confirm-delete.tsx'
import { RejudgeAll } from '../../components/rejudge-all.tsx'
import { RejudgeProgress } from '../../components/rejudge-progress.tsx'
import { apiPath, apiUrl } from '../../lib/api.ts'
import { useCourse } from '../../lib/course.ts'
import { refresh } from '../../lib/query-client.ts'
import { paths } from '../../paths.ts'
import { deleteProblem, rejudgePath } from './api.ts'
import { CopyProblem } from './copy-problem.tsx'

/** The staff's actions on a problem, and the progress of its bulk rejudge. */
export function ManageBar({ problem }: { problem: Problem }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const navigate = useNavigate()
  const { problemId, problemName, hasTestData } = problem

  async function remove() {
    await deleteProblem(problemId)
    await refresh(['problems', course], ['homeworks', course])
    await navigate(paths.problems(course))
  }

  return (
    <section className="app-screen-only" aria-label={t('problem.manage')}>
      <div className="app-row">
        <LinkButton
          to={paths.editProblem(course, problemId)}
          Icon={IconPencil}
          label={t('common.edit')}
        />
        {hasTestData ? (
          <>
            <Button
              component="a"
              href={apiUrl(apiPath`/problem/${problemId}/testcase`)}
              download
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden="true" />}
            >
              {t('problem.downloadTestData')}
            </Button>
            <RejudgeAll name={problemName} path={rejudgePath(problemId)} />
          </>
        ) : null}
        <LinkButton
          to={paths.copycat(course, problemId)}
          Icon={IconGitCompare}
          label={t('problem.copycat')}
        />
        <CopyProblem problem={problem} />
        <ConfirmDelete name={problemName} onDelete={remove} />
      </div>
      <RejudgeProgress
        path={rejudgePath(problemId)}
        waitingAt={paths.submissions(course, { problemId, status: STATUS.PENDING })}
      />
    </section>
  )
}
