import { Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { tolerancesOf, type ShownCompareMode } from '#contract/compare'
import classes from './statement.module.css'

/** What is said of two tolerances: one of 0 says nothing. */
function FloatNote({ absolute, relative }: ReturnType<typeof tolerancesOf>) {
  const { t } = useTranslation()
  if (relative === 0) return t('compare.floatAbsolute', { absolute })
  if (absolute === 0) return t('compare.floatRelative', { relative })
  return t('compare.float', { absolute, relative })
}

/** How outputs are compared, where it is not the usual way. */
export function CompareNote({ compare }: { compare: ShownCompareMode }) {
  const { t } = useTranslation()
  if (compare.mode === 'lines') return null
  return (
    <section className={classes.part}>
      <Title order={2}>{t('compare.title')}</Title>
      <p>
        {compare.mode === 'float' ? (
          <FloatNote {...tolerancesOf(compare)} />
        ) : (
          t(`compare.${compare.mode}`)
        )}
      </p>
    </section>
  )
}
