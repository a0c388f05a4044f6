import { Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ignoresCase, tolerancesOf, type ShownCompareMode } from '#contract/problems/compare'
import classes from './statement.module.css'

/** The two tolerances in words; a tolerance of 0 is left out. */
function FloatNote({ absolute, relative }: ReturnType<typeof tolerancesOf>) {
  const { t } = useTranslation()
  if (relative === 0) return t('compare.floatAbsolute', { absolute })
  if (absolute === 0) return t('compare.floatRelative', { relative })
  return t('compare.float', { absolute, relative })
}

/** The comparison mode, unless it is the default. */
export function CompareNote({ compare }: { compare: ShownCompareMode }) {
  const { t } = useTranslation()
  const isCaseIgnored = ignoresCase(compare)
  if (compare.mode === 'lines' && !isCaseIgnored) return null
  return (
    <section className={classes.part}>
      <Title order={2}>{t('compare.title')}</Title>
      <p>
        {compare.mode === 'float' ? (
          <FloatNote {...tolerancesOf(compare)} />
        ) : (
          t(`compare.${compare.mode}`)
        )}
        {isCaseIgnored ? ` ${t('compare.ignoreCase')}` : null}
      </p>
    </section>
  )
}
