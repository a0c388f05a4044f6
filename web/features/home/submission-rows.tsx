import { Anchor, Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { SubmissionItem } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { TimeText } from '../../components/display/time-text.tsx'
import { VerdictBadge } from '../../components/judging/verdict-badge.tsx'
import { Row, RowList } from '../../components/lists/row-list.tsx'
import { paths } from '../../paths.ts'

interface SubmissionRowsProps {
  submissions: SubmissionItem[]
  /** Whether the submissions are of several people, so that each row names its author. */
  withPeople?: boolean
}

/** Submissions with their verdicts. */
export function SubmissionRows({ submissions, withPeople = false }: SubmissionRowsProps) {
  const { t } = useTranslation()
  return (
    <RowList>
      {submissions.map((item) => (
        <Row
          key={item.submissionId}
          title={
            <Anchor component={Link} to={paths.submission(item.course, item.submissionId)}>
              #{item.problemId} {item.problemName}
            </Anchor>
          }
          facts={
            <>
              {/* No `Person`, because that shows the username in another font. */}
              {withPeople ? <span>{item.user.displayedName || item.user.username}</span> : null}
              <span>{item.course}</span>
              <TimeText at={item.timestamp} relative />
              {item.status === STATUS.PENDING ? null : (
                <span>{t('common.points', { count: item.score })}</span>
              )}
            </>
          }
          action={
            <Box w={170}>
              <VerdictBadge status={item.status} />
            </Box>
          }
        />
      ))}
    </RowList>
  )
}
