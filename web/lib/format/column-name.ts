import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { GradebookColumn } from '#contract/gradebook'

/** Names columns of a gradebook; the total has no name of its own. */
export function useColumnName() {
  const { t } = useTranslation()
  return useCallback(
    ({ kind, name }: Pick<GradebookColumn, 'kind' | 'name'>) =>
      kind === 'total' ? t('marks.total') : name,
    [t],
  )
}
