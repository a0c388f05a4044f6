import { Button } from '@mantine/core'
import { IconDownload, IconGitCompare, IconPencil } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Problem } from '#contract/problems'
import { addressOfCall, call } from '../../../lib/api/call.ts'
import { ConfirmDelete } from '../../../components/overlays/confirm-delete.tsx'
import { LinkButton } from '../../../components/page/link-button.tsx'
import { MenuDivider, MoreMenu } from '../../../components/overlays/more-menu.tsx'
import { RejudgeAll } from '../../../components/judging/rejudge-all.tsx'
import { SameMistakes } from '../../../components/problem/same-mistakes.tsx'
import { apiUrl } from '../../../lib/api/api.ts'
import { useCourse } from '../../../lib/queries/course.ts'
import { refresh } from '../../../lib/api/query-client.ts'
import { paths } from '../../../paths.ts'
import { cancelAll } from '../api.ts'
import { rejudgePath } from '../rejudge-path.ts'
import { CancelJudging } from './cancel-judging.tsx'
import { CopyProblem } from './copy-problem.tsx'

interface ManageMenuProps {
  problem: Problem
  /** The actions that everybody may take. */
  children: ReactNode
}

/** The staff's actions on a problem: editing, and a menu with all others. */
export function ManageMenu({ problem, children }: ManageMenuProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const navigate = useNavigate()
  const { problemId, problemName, hasTestData } = problem

  async function cancelWaiting() {
    await cancelAll(problemId)
    await refresh(['submissions'])
  }

  async function remove() {
    await call('DELETE /problem/manage/:id', { params: { id: problemId }, ifMatch: null })
    await refresh(['problems', course], ['homeworks', course])
    await navigate(paths.problems(course))
  }

  return (
    <>
      <MoreMenu>
        {children}
        {hasTestData ? (
          <>
            <Button
              component="a"
              href={apiUrl(
                addressOfCall('GET /problem/:id/testcase', { params: { id: problemId } }),
              )}
              download
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden="true" />}
            >
              {t('problem.downloadTestData')}
            </Button>
            <CancelJudging
              label={t('cancelJudging.all')}
              text={t('cancelJudging.allText', { name: problemName })}
              onCancel={cancelWaiting}
            />
            <RejudgeAll name={problemName} path={rejudgePath(problemId)} />
          </>
        ) : null}
        <SameMistakes to={paths.problemMistakes(course, problemId)} />
        <LinkButton
          to={paths.copycat(course, problemId)}
          Icon={IconGitCompare}
          label={t('problem.copycat')}
        />
        <CopyProblem problem={problem} />
        <MenuDivider />
        <ConfirmDelete name={problemName} onDelete={remove} />
      </MoreMenu>
      <LinkButton
        to={paths.editProblem(course, problemId)}
        Icon={IconPencil}
        label={t('common.edit')}
      />
    </>
  )
}
