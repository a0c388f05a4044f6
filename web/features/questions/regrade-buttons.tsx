import { Button, Group, NumberInput, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod'
import { regradeDecision, type ExplainedMark } from '#contract/gradebook'
import { GRADEBOOK_LIMITS, TEXT_LIMITS } from '#contract/limits'
import type { QuestionedMark, QuestionThread } from '#contract/questions'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { DialogButton } from '../../components/overlays/dialog-button.tsx'
import { call } from '../../lib/api/call.ts'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { toNumber, toNumberField, type NumberField } from '../../lib/format/number-field.ts'
import { useNumberText } from '../../lib/format/number-text.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { refreshQuestions } from '../../lib/queries/questions.ts'
import { refreshHomework } from '../../lib/queries/refresh-homework.ts'

type Decision = z.input<typeof regradeDecision>
type ChangeValues = { points: NumberField; reason: string }

const toBody = ({ points, reason }: ChangeValues) => ({ points: toNumber(points), reason })

interface ChangeFormProps {
  /** The present mark; null for none. */
  points: number | null
  most: number
  decide: (decision: Decision) => Promise<unknown>
  onClose: () => void
}

/** The form that gives a mark other points, with the reason. */
function ChangeForm({ points, most, decide, onClose }: ChangeFormProps) {
  const { t } = useTranslation()
  const text = useNumberText()
  const form = useForm<ChangeValues>({
    initialValues: { points: points ?? '', reason: '' },
    validate: useSchemaValidation<ChangeValues>(regradeDecision, toBody),
  })
  const changing = useMutation({ mutationFn: decide, onSuccess: onClose })
  return (
    <CheckedForm form={form} onSend={(values) => changing.mutate(toBody(values))}>
      <NumberInput
        label={t('regrade.points', { most: text.points(most) })}
        withAsterisk
        data-autofocus
        min={0}
        max={GRADEBOOK_LIMITS.points}
        decimalScale={2}
        clampBehavior="none"
        {...form.getInputProps('points')}
        onChange={(value) => form.setFieldValue('points', toNumberField(value))}
      />
      <Textarea
        label={t('regrade.reason')}
        description={t('regrade.reasonHelp')}
        autosize
        minRows={2}
        maxLength={TEXT_LIMITS.markReason}
        {...form.getInputProps('reason')}
      />
      <FormError error={changing.error} />
      <FormButtons isSending={changing.isPending} onCancel={onClose} />
    </CheckedForm>
  )
}

interface RegradeButtonsProps {
  thread: QuestionThread
  questioned: QuestionedMark
  /** undefined until it is read. */
  mark: ExplainedMark | undefined
}

/** The buttons with which staff answer a question about a mark: change it, or keep it. */
export function RegradeButtons({ thread, questioned, mark }: RegradeButtonsProps) {
  const { t } = useTranslation()
  const { may } = useCourse()
  const notice = useRef<HTMLOutputElement>(null)
  const decide = async (body: Decision) => {
    await call('POST /question/:id/regrade', { params: { id: thread.questionId }, body })
    await Promise.all([refreshQuestions(), refreshHomework()])
    // The pressed button may be gone.
    notice.current?.focus()
  }
  const keeping = useMutation({ mutationFn: decide })
  if (!may('question.answer')) return null
  const change = t('regrade.change')
  return (
    <div className="app-screen-only">
      <Text component="output" ref={notice} tabIndex={-1} display="block" size="sm">
        {questioned.outcome === null ? '' : t('regrade.decided')}
      </Text>
      <Group gap="xs" mt="sm">
        <DialogButton
          label={change}
          buttonSize="xs"
          title={t('regrade.changeIn', { column: questioned.columnName })}
          disabled={mark === undefined}
        >
          {(close) => (
            <ChangeForm
              points={mark?.points ?? null}
              most={mark?.column.max ?? 0}
              decide={decide}
              onClose={close}
            />
          )}
        </DialogButton>
        {questioned.outcome === null ? (
          <Button
            size="xs"
            variant="default"
            loading={keeping.isPending}
            onClick={() => keeping.mutate({ points: null })}
          >
            {t('regrade.keep')}
          </Button>
        ) : null}
      </Group>
      <FormError error={keeping.error} />
    </div>
  )
}
