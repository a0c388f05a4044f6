import { Button, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { batchSignupResult } from '#contract/people/auth'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { refusalData } from '../../lib/api/api-error.ts'
import { courseQuery } from '../../lib/queries/course.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { signupOperationQuery } from './api.ts'
import { CsvResult } from './csv-result.tsx'

interface SignupProgressProps {
  course: string
  operationId: string
  onDismiss: () => void
}

/** The progress of a large import, and its result. */
export function SignupProgress({ course, operationId, onDismiss }: SignupProgressProps) {
  const { t } = useTranslation()
  const operation = useQuery(signupOperationQuery(operationId))
  const progress = operation.data && 'jobId' in operation.data ? operation.data : null
  const result = operation.data && 'rows' in operation.data ? operation.data : null
  const refused = refusalData(operation.error, batchSignupResult)
  const isDone = result !== null
  useEffect(() => {
    if (isDone) void refresh(courseQuery(course).queryKey)
  }, [course, isDone])
  const shown = result ?? refused
  return (
    <>
      {progress === null ? null : (
        <>
          <Text size="sm">
            {t('csv.hashing', { done: progress.done, total: progress.total })}{' '}
            {t('csv.allOrNothing')}
          </Text>
          <Progress
            my="sm"
            value={(progress.done / Math.max(1, progress.total)) * 100}
            aria-label={t('csv.progress')}
          />
        </>
      )}
      <output>{!shown ? null : <CsvResult result={shown} isChecked={false} />}</output>
      {operation.isError && !refused ? <ErrorBox of={{ error: operation.error }} /> : null}
      {isDone || operation.isError ? (
        <Button mt="sm" size="xs" variant="default" onClick={onDismiss}>
          {t('rejudge.dismiss')}
        </Button>
      ) : null}
    </>
  )
}
