/** The text of an empty list of choices: it is an option, as a listbox may hold only options (WAI-ARIA 1.2, listbox). */
import { useTranslation } from 'react-i18next'

/** A disabled option that says that nothing was found or, meanwhile, that the list is loading. */
export function NothingFound({ text, isLoading }: { text: string; isLoading: boolean }) {
  const { t } = useTranslation()
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the list is no select
    <span role="option" aria-disabled="true" aria-selected="false">
      {isLoading ? t('common.loading') : text}
    </span>
  )
}
