import { useTranslation } from 'react-i18next'
import { addressOfCall } from '../../lib/api/call.ts'
import { DownloadLink } from './download-link.tsx'

interface ProgramsDownloadProps {
  homeworkId: string
  /** Only the people with this label. */
  label?: number | undefined
}

/** Downloads the programs that count in a homework; for staff. */
export function ProgramsDownload({ homeworkId, label }: ProgramsDownloadProps) {
  const { t } = useTranslation()
  const address = addressOfCall('GET /homework/:id/programs', {
    params: { id: homeworkId },
    query: { label },
  })
  return <DownloadLink address={address} label={t('downloads.programs')} />
}
