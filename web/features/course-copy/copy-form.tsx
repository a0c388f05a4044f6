import { Checkbox, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { courseCopied, courseCopy } from '#contract/course-copy'
import { TEXT_LIMITS } from '#contract/limits'
import { FormError } from '../../components/forms/form-error.tsx'
import { SavedForm } from '../../components/forms/saved-form.tsx'
import { isRefusal } from '../../lib/api/api-error.ts'
import { call } from '../../lib/api/call.ts'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { serverNowMs } from '../../lib/live/server-clock.ts'
import { useNavigateFromHere } from '../../lib/navigation/navigate-from-here.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { paths } from '../../paths.ts'
import { DatesTable } from './dates-table.tsx'
import { nextName } from './next-name.ts'
import {
  hasFault,
  holidayFault,
  isDay,
  proposedDates,
  proposedFirstDay,
  rowsOf,
  toBody,
  type CopyValues,
  type OldHomework,
} from './plan.ts'
import { RuleFields } from './rule-fields.tsx'

/** What was filled in before an undo; undefined without one. */
function useUndone(): CopyValues | undefined {
  return (useLocation().state as { values?: CopyValues } | null)?.values
}

/** The proposal; after an undo, what was filled in before. */
function useInitialValues(homeworks: OldHomework[]): CopyValues {
  const { course, timeZone } = useCourse()
  const undone = useUndone()
  const [initial] = useState<CopyValues>(() => ({
    course: nextName(course),
    firstDay: proposedFirstDay(homeworks, timeZone, serverNowMs() / 1_000),
    keepWeekdays: true,
    holidays: [],
    onHoliday: 'week',
    closeOld: false,
    left: [],
    edits: {},
    ...undone,
  }))
  return initial
}

function useCopyForm(homeworks: OldHomework[]) {
  const { t } = useTranslation()
  const { timeZone } = useCourse()
  const rowsFor = (values: CopyValues) =>
    rowsOf(homeworks, proposedDates(homeworks, values.left, values, timeZone), values, timeZone)
  const bodyFor = (values: CopyValues) => toBody(values, rowsFor(values))
  const checkBody = useSchemaValidation<CopyValues>(courseCopy, bodyFor)
  const form = useForm<CopyValues>({
    initialValues: useInitialValues(homeworks),
    validate: (values) => ({
      ...checkBody(values),
      ...(homeworks.length > 0 && !isDay(values.firstDay) && { firstDay: t('courseCopy.dayForm') }),
      ...Object.fromEntries(
        values.holidays.flatMap((holiday, index) => {
          const day = holidayFault(holiday)
          const text = t(day === 'first' ? 'courseCopy.dayForm' : 'courseCopy.lastForm')
          return day === null ? [] : [[`holidays.${index}.${day}`, text]]
        }),
      ),
      ...(hasFault(rowsFor(values)) && { edits: t('courseCopy.wrongDates') }),
    }),
  })
  return { form, bodyFor }
}

/** The rows of the table. The proposal is made again only when the rule changes, not at each key. */
function useRows(homeworks: OldHomework[], values: CopyValues) {
  const { timeZone } = useCourse()
  const { firstDay, keepWeekdays, holidays, onHoliday, left, edits } = values
  const proposed = useMemo(
    () => proposedDates(homeworks, left, { firstDay, keepWeekdays, holidays, onHoliday }, timeZone),
    [homeworks, left, firstDay, keepWeekdays, holidays, onHoliday, timeZone],
  )
  return rowsOf(homeworks, proposed, { left, edits, holidays }, timeZone)
}

/** What the form makes; after an undo, that the copy is undone. */
function Intro() {
  const { t } = useTranslation()
  const { course } = useCourse()
  const isUndone = useUndone() !== undefined
  return (
    <>
      {isUndone ? <Text component="output">{t('courseCopy.undone')}</Text> : null}
      <Text size="sm">{t('courseCopy.help', { name: course })}</Text>
    </>
  )
}

/** The new course: its name, the rule for its dates, and the table of all dates. */
export function CopyForm({ homeworks }: { homeworks: OldHomework[] }) {
  const { t } = useTranslation()
  const { course: old, closedAt } = useCourse()
  const navigate = useNavigateFromHere()
  const { form, bodyFor } = useCopyForm(homeworks)
  const rows = useRows(homeworks, form.values)

  async function create() {
    const copied = await call('POST /course/:name/copy', {
      params: { name: old },
      body: bodyFor(form.values),
      ifMatch: null,
      as: courseCopied,
    })
    await refresh(['courses'], ['course', old])
    await navigate(paths.announcements(copied.course), {
      state: { copied, values: form.values },
    })
  }

  function showRefusal(error: unknown): boolean {
    const isTaken = isRefusal(error, 'course_exists')
    if (isTaken) form.setFieldError('course', t('courses.exists'))
    return isTaken
  }

  return (
    <SavedForm
      form={form}
      cancelTo={paths.course(old)}
      label={t('courses.create')}
      onSave={create}
      onRefused={showRefusal}
    >
      <Intro />
      <TextInput
        label={t('courses.nameField')}
        description={t('courses.nameHelp')}
        withAsterisk
        maw={560}
        maxLength={TEXT_LIMITS.courseName}
        {...form.getInputProps('course')}
      />
      {homeworks.length === 0 ? null : (
        <>
          <RuleFields form={form} />
          <DatesTable form={form} rows={rows} />
        </>
      )}
      {closedAt === null ? (
        <Checkbox
          label={t('courseCopy.closeOld', { name: old })}
          description={t('courseCopy.closedHelp')}
          {...form.getInputProps('closeOld', { type: 'checkbox' })}
        />
      ) : null}
      <FormError>{form.errors.edits}</FormError>
    </SavedForm>
  )
}
