import { useTranslation } from 'react-i18next'
import { addressOfCall } from '../../lib/api/call.ts'
import { Section } from '../page/section.tsx'
import { DownloadLink } from './download-link.tsx'

/** The part of the settings that downloads the whole course; for staff. */
export function CourseDownload({ course }: { course: string }) {
  const { t } = useTranslation()
  return (
    <Section title={t('downloads.courseTitle')} help={t('downloads.courseHelp')}>
      <DownloadLink
        address={addressOfCall('GET /course/:name/archive', { params: { name: course } })}
        label={t('downloads.course')}
      />
    </Section>
  )
}
