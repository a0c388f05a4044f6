import { Button, Group, NativeSelect, NumberInput, Stack, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserInfo } from '#contract/fields'
import { pointsForm, type GivenPoints, type PointsForm } from '#contract/homework-overrides'
import type { Homework } from '#contract/homeworks'
import { HOMEWORK_LIMITS } from '#contract/limits'
import { call } from '../../lib/api/call.ts'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { homeworkQuery } from '../../lib/queries/homework-dates.ts'
import { refreshHomework } from '../../lib/queries/refresh-homework.ts'
import { GivenText } from './given-points.tsx'
import { ErrorBox } from '../feedback/error-box.tsx'
import { RowsSkeleton } from '../feedback/rows-skeleton.tsx'
import { CheckedForm } from '../forms/checked-form.tsx'
import { FormButtons } from '../forms/form-buttons.tsx'
import { FormError } from '../forms/form-error.tsx'
import { HomeworkChoice, type About } from './homework-choice.tsx'

/** The points as typed, and the comment. */
type PointsValues = { points: number | string; comment: string }

interface PointsFieldsProps {
  homework: Homework
  student: UserInfo
  /** null: the homework as a whole. */
  problemId: number | null
  given: GivenPoints | null
  onClose: () => void
}

function PointsFields({ homework, student, problemId, given, onClose }: PointsFieldsProps) {
  const { t } = useTranslation()
  const most = homework.points[homework.problemIds.indexOf(problemId ?? Number.NaN)]
  const toBody = ({ points, comment }: PointsValues): PointsForm => ({
    username: student.username,
    problemId,
    points: points === '' ? Number.NaN : Number(points),
    comment,
  })
  const form = useForm<PointsValues>({
    initialValues: { points: given?.points ?? '', comment: given?.comment ?? '' },
    validate: useSchemaValidation<PointsValues>(pointsForm, toBody),
  })
  const saving = useMutation({
    mutationFn: (body: PointsForm) =>
      call('PUT /homework/:id/points', { params: { id: homework.id }, body }),
    onSuccess: async () => {
      await refreshHomework(homework.id)
      onClose()
    },
  })
  return (
    <CheckedForm form={form} onSend={(values) => saving.mutate(toBody(values))}>
      {given === null ? null : <GivenText given={given} />}
      <NumberInput
        label={most === undefined ? t('points.added') : t('points.ofMost', { most })}
        description={t(problemId === null ? 'points.addedHelp' : 'points.problemHelp')}
        withAsterisk
        data-autofocus
        min={0}
        max={HOMEWORK_LIMITS.points}
        decimalScale={2}
        {...form.getInputProps('points')}
      />
      <Textarea
        label={t('points.comment')}
        description={t('points.commentHelp')}
        autosize
        minRows={2}
        maxLength={HOMEWORK_LIMITS.comment}
        {...form.getInputProps('comment')}
      />
      <FormError error={saving.error} />
      <Group justify="space-between">
        {given === null ? (
          <span />
        ) : (
          <Button
            variant="subtle"
            disabled={saving.isPending}
            onClick={() => saving.mutate({ ...toBody(form.values), points: null, comment: '' })}
          >
            {t('points.takeBack')}
          </Button>
        )}
        <FormButtons isSending={saving.isPending} onCancel={onClose} />
      </Group>
    </CheckedForm>
  )
}

const WHOLE = 'whole'

interface LoadedProps {
  homeworkId: string
  student: UserInfo
  problemId: number | undefined
  onClose: () => void
}

/** The choice of what gets points, and the form for it. */
function Loaded({ homeworkId, student, problemId, onClose }: LoadedProps) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState(problemId === undefined ? WHOLE : String(problemId))
  const read = useQuery(homeworkQuery(homeworkId))
  if (read.isPending) return <RowsSkeleton rows={3} height={50} />
  if (!read.data) return <ErrorBox of={read} />
  const homework = read.data
  const problem = homework.problems.find((each) => String(each.problemId) === chosen)
  const given =
    problem === undefined
      ? homework.marks.get(student.username)?.given
      : homework.studentStatus.get(student.username)?.[problem.problemId]?.given
  return (
    <Stack>
      <NativeSelect
        label={t('points.for')}
        value={chosen}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        data={[
          { value: WHOLE, label: t('points.whole') },
          ...homework.problems.map((each) => ({
            value: String(each.problemId),
            label: `#${each.problemId} ${each.problemName}`,
          })),
        ]}
      />
      <PointsFields
        key={chosen}
        {...{ homework, student, onClose }}
        problemId={problem?.problemId ?? null}
        given={given ?? null}
      />
    </Stack>
  )
}

export type PointsDialogProps = About & { student: UserInfo; onClose: () => void }

/** The content of a dialog that gives a student points for a problem of a homework, or for the homework as a whole. */
export function PointsDialog({ student, onClose, ...about }: PointsDialogProps) {
  return (
    <HomeworkChoice about={about}>
      {({ id }) => (
        <Loaded key={id} homeworkId={id} problemId={about.problemId} {...{ student, onClose }} />
      )}
    </HomeworkChoice>
  )
}
