import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Homework, ProblemProgress } from '#contract/homeworks'
import { TOTAL_SCORE } from '#contract/limits'
import type { ProblemItem } from '#contract/problems'
import { GivenPoints } from '../../components/homeworks/given-points.tsx'
import { ListTable, type Column } from '../../components/lists/list-table.tsx'
import { ProblemMark } from '../../components/problem/problem-mark.tsx'
import { QuotaText } from '../../components/problem/quota-text.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { markOfProgress } from '../../lib/format/marks.ts'
import { paths } from '../../paths.ts'
import classes from './list-page.module.css'

/** What a problem is worth, if that is not the usual. */
function Worth({ points = TOTAL_SCORE }: { points: number | undefined }) {
  const { t } = useTranslation()
  return points === TOTAL_SCORE ? null : (
    <small className={classes.worth}>{t('late.worth', { count: points })}</small>
  )
}

/** The user's mark for a problem, with the best late score and why the mark is not computed. */
function Score({ progress }: { progress: ProblemProgress | undefined }) {
  const { t } = useTranslation()
  if (progress === undefined) return '–'
  const { mark, late, kept, given } = progress
  return (
    <>
      {mark ?? '–'}
      {late === null ? null : <small> ({t('homeworks.late', { score: late.score })})</small>}
      {kept ? <small className={classes.why}>{t('late.kept')}</small> : null}
      {given === null ? null : (
        <small className={classes.why}>
          <GivenPoints given={given} />
        </small>
      )}
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
  homework: Pick<Homework, 'problemIds' | 'points'>
  /** The course's problems, for names and quotas. */
  problems: Map<number, ProblemItem>
  /** The user's progress by problem id; null for staff. */
  own: Record<string, ProblemProgress> | null
}

/** A homework's problems with the quota left today and the user's score. */
export function HomeworkProblems({ homework, problems, own }: HomeworkProblemsProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const columns: Column<number>[] = [
    { head: '#', className: classes.index, renderCell: (_, index) => index + 1 },
    {
      head: t('homeworks.problem'),
      className: classes.problem,
      renderCell: (id, index) => (
        <>
          <Anchor component={Link} to={paths.problem(course, id)}>
            #{id} {problems.get(id)?.problemName ?? ''}
          </Anchor>
          <Worth points={homework.points[index]} />
        </>
      ),
    },
    {
      head: t('homeworks.left'),
      isNumeric: true,
      isLabelled: true,
      renderCell: (id) => {
        const problem = problems.get(id)
        return problem ? <QuotaText quota={problem.ownQuota} used={problem.quotaUsed} /> : '–'
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
      rows={homework.problemIds}
      keyOf={(id) => id}
    />
  )
}
