import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCourse } from '../../lib/queries/course.ts'
import { NO_LABEL } from './labels.ts'
import { useLabelChoice } from './use-label-choice.ts'

interface LabelFilterProps {
  /** Whether those without a label can be chosen. */
  withNone?: boolean
  /** The margin below, in pixels. */
  mb?: number
}

/** Lets staff choose the students with one label, in the address; nothing for a course without labels. */
export function LabelFilter({ withNone = false, mb = 0 }: LabelFilterProps) {
  const { t } = useTranslation()
  const { labels } = useCourse()
  const { isOffered, choice, choose } = useLabelChoice(withNone)
  if (!isOffered) return null
  return (
    <NativeSelect
      className="app-screen-only"
      maw={260}
      mb={mb}
      label={t('labels.label')}
      value={choice}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
      data={[
        { value: '', label: t('labels.everybody') },
        ...labels.map(({ id, name }) => ({ value: String(id), label: name })),
        ...(withNone ? [{ value: NO_LABEL, label: t('labels.none') }] : []),
      ]}
    />
  )
}
