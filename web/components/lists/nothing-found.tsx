/** What a list of choices says instead of choices: a listbox may hold options only (WAI-ARIA 1.2, listbox). */
import { useTranslation } from 'react-i18next'

/** "Nothing found" as a choice that cannot be made; while the list loads it says that. */
export function NothingFound({ text, isLoading }: { text: string; isLoading: boolean }) {
  const { t } = useTranslation()
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the list is no select
    <span role="option" aria-disabled="true" aria-selected="false">
      {isLoading ? t('common.loading') : text}
    </span>
  )
}
