import { Skeleton, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../lib/session/session.ts'
import classes from './members-page.module.css'
import { importKey, readStopped } from './stopped-import.ts'

const MemberUpload = lazy(async () => ({
  default: (await import('./member-upload.tsx')).MemberUpload,
}))

/** Imports members from a spreadsheet's file, after a dry run. The section starts open if an import has stopped. */
export function CsvImport({ course }: { course: string }) {
  const { t } = useTranslation()
  const { user } = useSession()
  const [hasStopped] = useState(() => readStopped(importKey(user?.username ?? '', course)) !== null)
  return (
    <details className={`app-card ${classes.csv}`} open={hasStopped}>
      <summary>{t('csv.title')}</summary>
      <Text size="sm" c="dimmed" my="sm">
        {t('csv.help')}
      </Text>
      <Suspense fallback={<Skeleton height={36} />}>
        <MemberUpload course={course} />
      </Suspense>
    </details>
  )
}
