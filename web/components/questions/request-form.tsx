import { Button, Checkbox, Group, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPaperclip } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Homework } from '#contract/homeworks'
import { REQUEST_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { newRequest, questionCreated, type NewRequest } from '#contract/questions'
import { newIdempotencyKey } from '../../lib/api/api.ts'
import { call } from '../../lib/api/call.ts'
import { useRefusedFields, useSchemaValidation } from '../../lib/api/field-text.ts'
import { addCalendarDays } from '../../lib/format/calendar-days.ts'
import { formatBytes, formatDeadline } from '../../lib/format/format.ts'
import { parseDeadline } from '../../lib/format/parse-time.ts'
import { serverNowMs } from '../../lib/live/server-clock.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { refreshQuestions } from '../../lib/queries/questions.ts'
import { CheckedForm } from '../forms/checked-form.tsx'
import { FilePickButton } from '../forms/file-pick-button.tsx'
import { FormButtons } from '../forms/form-buttons.tsx'
import { FormError } from '../forms/form-error.tsx'
import { TimeField } from '../forms/time-field.tsx'
import { useTimeInCourse } from '../forms/time-in-course.ts'
import { deadlineText } from '../homeworks/late-rule.ts'
import { MarkdownField } from '../markdown/markdown-field.tsx'
import { addRequestFile, isRequestFile, REQUEST_FILES } from './request-file.ts'

type RequestValues = { due: string; markdown: string; teacherOnly: boolean }

const toBody = ({ due, ...rest }: RequestValues): NewRequest => ({
  ...rest,
  due: parseDeadline(due),
})

/** Two days after the due time; if that is past, two days after the same hour of today. @param now epoch seconds */
export function proposedDue(due: number, now: number, timeZone: string): number {
  const late = Math.max(0, Math.ceil((now - due) / 86_400))
  return addCalendarDays(due, late + 2, timeZone)
}

interface FileFieldProps {
  file: File | null
  onPick: (file: File | null) => void
}

/** The file with the reason, which is sent after the request. */
function FileField({ file, onPick }: FileFieldProps) {
  const { t } = useTranslation()
  const [isBad, setIsBad] = useState(false)
  const limit = formatBytes(REQUEST_LIMITS.fileBytes)

  async function pick(picked: File) {
    const isGood = await isRequestFile(picked)
    setIsBad(!isGood)
    if (isGood) onPick(picked)
  }

  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        {t('requests.fileHelp', { limit })}
      </Text>
      <Group gap="xs">
        <FilePickButton
          accept={REQUEST_FILES}
          icon={<IconPaperclip size={16} aria-hidden="true" />}
          onPick={(picked) => void pick(picked)}
        >
          {t(file === null ? 'requests.file' : 'requests.otherFile')}
        </FilePickButton>
        <Text component="output" size="sm">
          {file === null
            ? ''
            : t('requests.fileName', { name: file.name, size: formatBytes(file.size) })}
        </Text>
        {file === null ? null : (
          <Button variant="subtle" size="xs" onClick={() => onPick(null)}>
            {t('requests.removeFile')}
          </Button>
        )}
      </Group>
      <FormError>{isBad ? t('requests.badFile', { limit }) : null}</FormError>
    </div>
  )
}

/** A request that was sent. `fileError`: why its file was not; null if all was sent. */
export interface SentRequest {
  questionId: string
  fileError: unknown
}

/** Sends a request and then its file. The same input gets the same key, so that a second press stores no second request. */
function useSendRequest(
  homeworkId: string,
  file: File | null,
  onSent: (sent: SentRequest) => void,
) {
  const attempt = useRef({ text: '', key: '' })
  return useMutation({
    mutationFn: async (body: NewRequest): Promise<SentRequest> => {
      const text = JSON.stringify(body)
      if (attempt.current.text !== text) attempt.current = { text, key: newIdempotencyKey() }
      const { questionId } = await call('POST /homework/:id/requests', {
        params: { id: homeworkId },
        body,
        key: attempt.current.key,
        as: questionCreated,
      })
      const fileError: unknown =
        file === null
          ? null
          : await addRequestFile(questionId, file).then(
              () => null,
              (error: unknown) => error,
            )
      await refreshQuestions()
      return { questionId, fileError }
    },
    onSuccess: onSent,
  })
}

export interface RequestFormProps {
  homework: Pick<Homework, 'id' | 'own'>
  /** Called once the request is stored and shown. */
  onSent: (sent: SentRequest) => void
  onCancel: () => void
}

/** The form that asks for another due time in a homework. */
export function RequestForm({ homework: { id, own }, onSent, onCancel }: RequestFormProps) {
  const { t } = useTranslation()
  const { timeZone } = useCourse()
  const inCourse = useTimeInCourse()
  const refusedFields = useRefusedFields()
  const [file, setFile] = useState<File | null>(null)
  const faultsOf = useSchemaValidation<RequestValues>(newRequest, toBody)
  const form = useForm<RequestValues>({
    initialValues: {
      due: formatDeadline(proposedDue(own.due, serverNowMs() / 1000, timeZone)),
      markdown: '',
      teacherOnly: false,
    },
    validate: (values) => ({
      ...faultsOf(values),
      ...(parseDeadline(values.due) <= own.due && {
        due: t('requests.later', { time: deadlineText(own.due) }),
      }),
    }),
  })
  const sending = useSendRequest(id, file, onSent)
  const refused = refusedFields(sending.error)
  return (
    <CheckedForm form={form} onSend={(values) => sending.mutate(toBody(values))}>
      <TimeField
        label={t('requests.due')}
        isDeadline
        withAsterisk
        description={inCourse(form.values.due)}
        {...form.getInputProps('due')}
        value={form.values.due}
        error={form.errors.due ?? refused.due}
      />
      <MarkdownField
        label={t('requests.reason')}
        maxLength={TEXT_LIMITS.questionMarkdown}
        minRows={3}
        {...form.getInputProps('markdown')}
        value={form.values.markdown}
        onChange={(text) => form.setFieldValue('markdown', text)}
      />
      <FileField file={file} onPick={setFile} />
      <Checkbox
        label={t('requests.teacherOnly')}
        description={t('requests.teacherOnlyHelp')}
        {...form.getInputProps('teacherOnly', { type: 'checkbox' })}
      />
      <Text size="sm" c="dimmed">
        {t('requests.keptFor', { count: REQUEST_LIMITS.keepDays })}
      </Text>
      <FormError error={sending.error} />
      <FormButtons label={t('question.send')} isSending={sending.isPending} onCancel={onCancel} />
    </CheckedForm>
  )
}
