import { Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { tolerancesOf, type ShownCompareMode } from '#contract/compare'
import classes from './statement.module.css'

/** Which tolerances there are to tell of: one of 0 says nothing. */
function floatKey(compare: Parameters<typeof tolerancesOf>[0]) {
  const { absolute, relative } = tolerancesOf(compare)
  if (relative === 0) return 'floatAbsolute'
  return absolute === 0 ? 'floatRelative' : 'float'
}

/** How outputs are compared, where it is not the usual way. */
export function CompareNote({ compare }: { compare: ShownCompareMode }) {
  const { t } = useTranslation()
  if (compare.mode === 'lines') return null
  return (
    <section className={classes.part}>
      <Title order={2}>{t('compare.title')}</Title>
      <p>
        {compare.mode === 'float'
          ? t(`compare.${floatKey(compare)}`, tolerancesOf(compare))
          : t(`compare.${compare.mode}`)}
      </p>
    </section>
  )
}
