import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ProblemProgress } from '#contract/homeworks'
import type { ProblemItem } from '#contract/problems'
import { ListTable, type Column } from '../../components/lists/list-table.tsx'
import { ProblemMark } from '../../components/problem/problem-mark.tsx'
import { QuotaText } from '../../components/problem/quota-text.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { markOfProgress } from '../../lib/format/marks.ts'
import { paths } from '../../paths.ts'
import classes from './list-page.module.css'

function Score({ progress }: { progress: ProblemProgress | undefined }) {
  const { t } = useTranslation()
  if (progress === undefined) return '–'
  const score = progress.submissionIds.length === 0 ? '–' : progress.score
  if (progress.late === null) return score
  return (
    <>
      {score} <small>({t('homeworks.late', { score: progress.late.score })})</small>
    </>
  )
}

function Links({ problemId }: { problemId: number }) {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  return (
    <>
      <Anchor
        component={Link}
        to={paths.problemStats(course, problemId)}
        aria-label={t('problem.statsOf', { id: problemId })}
      >
        {t('common.stats')}
      </Anchor>
      {may('submission.readAll') ? (
        <Anchor
          component={Link}
          to={paths.copycat(course, problemId)}
          ml="md"
          aria-label={t('homeworks.copycatOf', { id: problemId })}
        >
          {t('problem.copycat')}
        </Anchor>
      ) : null}
    </>
  )
}

interface HomeworkProblemsProps {
  problemIds: number[]
  /** The course's problems, for names and quotas. */
  problems: Map<number, ProblemItem>
  /** The user's progress by problem id; null for staff. */
  own: Record<string, ProblemProgress> | null
}

/** A homework's problems with the quota left today and the user's score. */
export function HomeworkProblems({ problemIds, problems, own }: HomeworkProblemsProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const columns: Column<number>[] = [
    { head: '#', className: classes.index, renderCell: (_, index) => index + 1 },
    {
      head: t('homeworks.problem'),
      className: classes.problem,
      renderCell: (id) => (
        <Anchor component={Link} to={paths.problem(course, id)}>
          #{id} {problems.get(id)?.problemName ?? ''}
        </Anchor>
      ),
    },
    {
      head: t('homeworks.left'),
      isNumeric: true,
      isLabelled: true,
      renderCell: (id) => {
        const problem = problems.get(id)
        return problem ? <QuotaText quota={problem.quota} used={problem.quotaUsed} /> : '–'
      },
    },
  ]
  const ownColumns: Column<number>[] = [
    {
      head: t('mark.title'),
      renderCell: (id) => <ProblemMark mark={markOfProgress(own?.[id])} />,
    },
    {
      head: t('homeworks.score'),
      isNumeric: true,
      isLabelled: true,
      renderCell: (id) => <Score progress={own?.[id]} />,
    },
  ]
  const links: Column<number> = {
    head: t('homeworks.links'),
    isNumeric: true,
    className: classes.links,
    renderCell: (id) => <Links problemId={id} />,
  }
  return (
    <ListTable
      className={`app-cards ${classes.table}`}
      columns={[...columns, ...(own === null ? [] : ownColumns), links]}
      rows={problemIds}
      keyOf={(id) => id}
    />
  )
}
