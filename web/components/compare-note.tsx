import { Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { tolerancesOf, type ShownCompareMode } from '#contract/compare'
import classes from './statement.module.css'

/** What is said of two tolerances: one of 0 says nothing. */
function floatKey({ absolute, relative }: ReturnType<typeof tolerancesOf>) {
  if (relative === 0) return 'floatAbsolute'
  return absolute === 0 ? 'floatRelative' : 'float'
}

/** How outputs are compared, where it is not the usual way. */
export function CompareNote({ compare }: { compare: ShownCompareMode }) {
  const { t } = useTranslation()
  if (compare.mode === 'lines') return null
  const tolerances = tolerancesOf(compare.mode === 'float' ? compare : {})
  return (
    <section className={classes.part}>
      <Title order={2}>{t('compare.title')}</Title>
      <p>
        {compare.mode === 'float'
          ? t(`compare.${floatKey(tolerances)}`, tolerances)
          : t(`compare.${compare.mode}`)}
      </p>
    </section>
  )
}
