import { Anchor, Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ExplainedMark } from '#contract/gradebook'
import type { QuestionedMark, QuestionThread } from '#contract/questions'
import { Facts } from '../../components/display/facts.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { MarkPoints } from '../../components/marks/mark-points.tsx'
import { MarkSentences } from '../../components/marks/mark-sentences.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { markId, markQuery, marksQuery } from '../../lib/queries/marks.ts'
import { paths } from '../../paths.ts'
import { RegradeButtons } from './regrade-buttons.tsx'

interface MarkCardProps {
  thread: QuestionThread
  mark: QuestionedMark
}

interface MarkFactsProps {
  questioned: QuestionedMark
  /** The page with all marks of the student. */
  page: string
  /** undefined until it is read, or if the student does not see it any more. */
  mark: ExplainedMark | undefined
}

/** The mark, what staff decided, and how the mark came about. */
function MarkFacts({ questioned: { columnId, columnName, outcome }, page, mark }: MarkFactsProps) {
  const { t } = useTranslation()
  const facts = [
    {
      label: t('regrade.mark'),
      value: (
        <>
          <Anchor component={Link} to={`${page}#${markId(columnId)}`} underline="always">
            {columnName}
          </Anchor>{' '}
          {mark === undefined ? null : <MarkPoints mark={mark} />}
        </>
      ),
    },
    { label: t('regrade.decision'), value: t(`regrade.outcome.${outcome ?? 'waiting'}`) },
  ]
  return (
    <>
      <Facts facts={facts} />
      {mark === undefined ? null : <MarkSentences mark={mark} />}
    </>
  )
}

/** The mark for staff, who decide here. */
function StaffMark({ thread, mark: questioned }: MarkCardProps) {
  const { course } = useCourse()
  const { username } = thread.student
  const read = useQuery(markQuery(course, questioned.columnId, username))
  const page = paths.studentMarks(course, username)
  return (
    <>
      <ErrorBox of={read} />
      <MarkFacts questioned={questioned} page={page} mark={read.data} />
      <RegradeButtons thread={thread} questioned={questioned} mark={read.data} />
    </>
  )
}

/** The mark for its student, as far as it is shown. */
function OwnMark({ mark: questioned }: MarkCardProps) {
  const { course } = useCourse()
  const own = useQuery(marksQuery(course)).data
  const mark = own?.marks.find(({ column }) => column.id === questioned.columnId)
  return <MarkFacts questioned={questioned} page={paths.marks(course)} mark={mark} />
}

/** The mark that a question is about, and what staff decided. */
export function MarkCard(props: MarkCardProps) {
  const { may } = useCourse()
  return (
    <Box mb="md">{may('gradebook.read') ? <StaffMark {...props} /> : <OwnMark {...props} />}</Box>
  )
}
