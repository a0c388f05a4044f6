import { Anchor, Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { homeworkStatusAt, type Homework, type HomeworkMark } from '#contract/homeworks'
import type { LateDayRule, LateDays } from '#contract/late-days'
import { call } from '../../lib/api/call.ts'
import { useServerNow } from '../../lib/live/use-server-now.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { refreshHomework } from '../../lib/queries/refresh-homework.ts'
import { paths } from '../../paths.ts'
import { FormError } from '../forms/form-error.tsx'
import classes from './homework-dates.module.css'
import { lateDayRuleSentences, lateDaysSentence } from './late-days.ts'
import { deadlineText } from './late-rule.ts'

interface WishProps {
  homework: Homework
  rule: LateDayRule
  days: LateDays
}

/** How many late days the student asks for, and until when work then counts in full. */
function LateDayWish({ homework: { id, own }, rule, days: { asked } }: WishProps) {
  const { t } = useTranslation()
  const wishing = useMutation({
    mutationFn: async (days: number) => {
      await call('PUT /homework/:id/late-days', { params: { id }, body: { days }, ifMatch: null })
      await refreshHomework(id)
    },
  })
  const until = deadlineText(own.due + asked * 86_400)
  return (
    <>
      <fieldset className={`app-screen-only ${classes.wish}`}>
        <legend>{t('lateDays.useHere')}</legend>
        {Array.from({ length: rule.mostEach + 1 }, (_, days) => (
          <Button
            key={days}
            size="compact-sm"
            variant={days === asked ? 'filled' : 'default'}
            aria-pressed={days === asked}
            loading={wishing.isPending && wishing.variables === days}
            onClick={() => wishing.mutate(days)}
          >
            {days}
          </Button>
        ))}
      </fieldset>
      <Text component="output" display="block" size="sm" c="dimmed">
        {t('lateDays.fullUntil', { count: asked, time: until })}
      </Text>
      <FormError error={wishing.error} />
    </>
  )
}

interface LateDaysLineProps {
  homework: Homework
  /** The user's mark; null for staff. */
  mark: HomeworkMark | null
}

/** The late days of a homework: for students what they have and use, for staff the rule. */
export function LateDaysLine({ homework, mark }: LateDaysLineProps) {
  const { t } = useTranslation()
  const { course, closedAt } = useCourse()
  const status = homeworkStatusAt(homework.own, Math.floor(useServerNow() / 1000))
  const { lateDays: rule, own } = homework
  if (rule === null || own.excused) return null
  const days = mark?.lateDays ?? null
  const isAsked =
    days !== null && rule.spending === 'asked' && status === 'running' && closedAt === null
  return (
    <div className={classes.lateDays}>
      <Text size="sm">
        <Anchor component={Link} to={paths.lateDays(course)} inherit underline="always">
          {rule.name}
        </Anchor>
        {': '}
        {days === null ? lateDayRuleSentences(rule, t)[0] : lateDaysSentence(rule, days, t)}
      </Text>
      {isAsked ? <LateDayWish {...{ homework, rule, days }} /> : null}
    </div>
  )
}
