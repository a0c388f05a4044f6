import { useTranslation } from 'react-i18next'
import { QUOTA_UNLIMITED } from '#contract/limits'

/** The submissions left today, of how many. */
export function QuotaText({ quota, used }: { quota: number; used: number }) {
  const { t } = useTranslation()
  return quota === QUOTA_UNLIMITED
    ? t('problem.unlimited')
    : t('problem.quotaOf', { left: Math.max(0, quota - used), quota })
}
