import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { GivenPoints as Given } from '#contract/homework-overrides'
import { useNumberText } from '../../lib/format/number-text.ts'
import { TimeText } from '../display/time-text.tsx'

/** Who gave points, and the comment, in a line of its own beside the points. */
export function GivenPoints({ given: { by, comment } }: { given: Given }) {
  const { t } = useTranslation()
  return (
    <>
      {by === null ? t('late.givenBy') : t('late.given', { by })}
      {comment === '' ? null : `: ${comment}`}
    </>
  )
}

interface GivenTextProps {
  given: Given
  /** The points of the problem. */
  most?: number
}

/** Points that staff gave: how many, the comment, who gave them and when. */
export function GivenText({ given: { points: amount, comment, by, at }, most }: GivenTextProps) {
  const { t } = useTranslation()
  const { points } = useNumberText()
  return (
    <div>
      <Text size="sm" fw={600}>
        {most === undefined
          ? t('points.given', { points: points(amount) })
          : t('points.givenOf', { points: points(amount), most: points(most) })}
      </Text>
      {comment === '' ? null : (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {comment}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {by === null ? null : `${by} · `}
        <TimeText at={at} />
      </Text>
    </div>
  )
}
