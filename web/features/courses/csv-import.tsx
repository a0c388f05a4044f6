import { Skeleton, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useKnownOperation } from '../../lib/queries/operations.ts'
import classes from './members-page.module.css'
import { SignupProgress } from './signup-progress.tsx'

const MemberUpload = lazy(async () => ({
  default: (await import('./member-upload.tsx')).MemberUpload,
}))

/** Imports members from a file of a spreadsheet, after a dry run. */
export function CsvImport({ course }: { course: string }) {
  const { t } = useTranslation()
  const { operationId, know } = useKnownOperation(`signup:${course}`)
  return (
    <details className={`app-card ${classes.csv}`} open={operationId !== null}>
      <summary>{t('csv.title')}</summary>
      <Text size="sm" c="dimmed" my="sm">
        {t('csv.help')}
      </Text>
      {operationId === null ? (
        <Suspense fallback={<Skeleton height={36} />}>
          <MemberUpload course={course} onStarted={know} />
        </Suspense>
      ) : (
        <SignupProgress course={course} operationId={operationId} onDismiss={() => know(null)} />
      )}
    </details>
  )
}
