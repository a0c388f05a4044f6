import { useTranslation } from 'react-i18next'
import type { GivenPoints as Given } from '#contract/homework-overrides'

/** Who gave points, and the comment. */
export function GivenPoints({ given: { by, comment } }: { given: Given }) {
  const { t } = useTranslation()
  return (
    <>
      {by === null ? t('late.givenBy') : t('late.given', { by })}
      {comment === '' ? null : `: ${comment}`}
    </>
  )
}
