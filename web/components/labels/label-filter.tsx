import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCourse } from '../../lib/queries/course.ts'
import { NO_LABEL } from './labels.ts'
import { useLabelChoice } from './use-label-choice.ts'

/** Lets staff choose the students with one label, in the address; nothing for a course without labels. */
export function LabelFilter({ withNone = false }: { withNone?: boolean }) {
  const { t } = useTranslation()
  const { labels } = useCourse()
  const { isOffered, choice, choose } = useLabelChoice(withNone)
  if (!isOffered) return null
  return (
    <NativeSelect
      className="app-screen-only"
      maw={260}
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
