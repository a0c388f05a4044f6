import { Anchor, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ExplainedMark } from '#contract/gradebook'
import { markSentences, markTexts } from '#contract/mark-sentences'
import { formatDuration, formatTime } from '../../lib/format/format.ts'
import { useLocale } from '../../lib/format/i18n.ts'
import { LOCALES } from '../../lib/format/locale.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { paths } from '../../paths.ts'

/** Why a mark is what it is, in sentences, with links to the submissions that count. */
export function MarkSentences({ mark }: { mark: ExplainedMark }) {
  const { t } = useTranslation()
  const { dateTag } = LOCALES[useLocale()]
  const { course } = useCourse()
  const names = new Map(mark.problems.map(({ problemId, name }) => [problemId, name]))
  const counted = mark.derivation?.problems.flatMap(({ problemId, submissionId }) =>
    submissionId === null ? [] : [{ problemId, submissionId }],
  )
  const format = {
    time: formatTime,
    duration: (seconds: number) => formatDuration(seconds, dateTag),
  }
  const sentences = markSentences(mark).map((each) =>
    t(`marks.sentence.${each.key}`, { ...markTexts(each, format), defaultValue: each.key }),
  )
  return (
    <Stack gap={8}>
      <Stack component="ul" className="app-list" gap={6}>
        {sentences.map((sentence, index) => (
          // Two problems may have the same sentence.
          <Text key={index} component="li" size="sm">
            {sentence}
          </Text>
        ))}
      </Stack>
      {counted === undefined || counted.length === 0 ? null : (
        <div>
          <Text size="sm" fw={600}>
            {t('marks.counted')}
          </Text>
          <ul className="app-list">
            {/* The lines are as high as a finger needs. */}
            {counted.map(({ problemId, submissionId }) => (
              <Text key={problemId} component="li" size="sm" lh={1.8}>
                <Anchor component={Link} to={paths.submission(course, submissionId)} inherit>
                  {`#${problemId} ${names.get(problemId) ?? ''}`.trim()}
                </Anchor>
              </Text>
            ))}
          </ul>
        </div>
      )}
    </Stack>
  )
}
