import { Skeleton, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { HomeworkDatesTable } from '#contract/homework-overrides'
import type { Homework } from '#contract/homeworks'
import { useCourse } from '../../../lib/queries/course.ts'
import classes from './dates.module.css'

const DatesUpload = lazy(async () => ({
  default: (await import('./dates-upload.tsx')).DatesUpload,
}))

interface DatesImportProps {
  homework: Homework
  table: HomeworkDatesTable
}

/** Changes many people's dates by a spreadsheet's file. */
export function DatesImport(props: DatesImportProps) {
  const { t } = useTranslation()
  const { timeZone } = useCourse()
  return (
    <details className={`app-card ${classes.import}`}>
      <summary>{t('dates.import')}</summary>
      <Text size="sm" c="dimmed" my="sm">
        {t('dates.importHelp', { zone: timeZone })}
      </Text>
      <Suspense fallback={<Skeleton height={36} />}>
        <DatesUpload {...props} />
      </Suspense>
    </details>
  )
}
