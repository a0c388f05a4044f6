import { Button, Group, NativeSelect } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_LIMITS } from '#contract/limits'
import { newIdempotencyKey } from '../../lib/api/api.ts'
import { useLeaveWarning } from '../../lib/drafts/leave-warning.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { refreshQuestions, savedRepliesQuery } from '../../lib/queries/questions.ts'
import { isSendKey } from '../../lib/text/input-method.ts'
import { FormError } from '../forms/form-error.tsx'
import { MarkdownField } from '../markdown/markdown-field.tsx'

/** The first line of a saved reply, short enough for a list. */
function headOf(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return line.length > 60 ? `${line.slice(0, 60)}…` : line
}

/** Inserts one of the saved replies of staff. */
function SavedReplySelect({ onInsert }: { onInsert: (text: string) => void }) {
  const { t } = useTranslation()
  const { may } = useCourse()
  const query = useQuery({ ...savedRepliesQuery, enabled: may('question.answer') })
  const replies = query.data?.replies ?? []
  if (replies.length === 0) return null
  const label = t('question.insertReply')
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value=""
      onChange={(event) => onInsert(replies[Number(event.currentTarget.value)] ?? '')}
      data={[
        { value: '', label },
        ...replies.map((text, index) => ({ value: String(index), label: headOf(text) })),
      ]}
    />
  )
}

export interface MessageFormProps {
  label: string
  sendLabel: string
  /** @param key the same key for the same text, so that a second press stores no second message */
  onSend: (markdown: string, key: string) => Promise<unknown>
  /** Called once the message is stored and shown. */
  onSent: () => void
  onCancel: () => void
  /** Called when a text is begun, and when it is empty again. */
  onBegun?: (isBegun: boolean) => void
}

/** Focuses the text: somebody who opens the form wants to type. */
function focusText(form: HTMLFormElement | null): void {
  form?.querySelector('textarea')?.focus()
}

/** The form of a message. Ctrl+Enter sends; Escape cancels while the form is empty. */
export function MessageForm(props: MessageFormProps) {
  const { label, sendLabel, onSend, onSent, onCancel, onBegun } = props
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const attempt = useRef({ text: '', key: '' })
  const isEmpty = text.trim() === ''
  useLeaveWarning(useCallback(() => !isEmpty, [isEmpty]))
  useEffect(() => onBegun?.(!isEmpty), [onBegun, isEmpty])
  const sending = useMutation({
    mutationFn: async () => {
      if (attempt.current.text !== text) attempt.current = { text, key: newIdempotencyKey() }
      await onSend(text, attempt.current.key)
      await refreshQuestions()
    },
    onSuccess: onSent,
  })

  function send() {
    if (!isEmpty && !sending.isPending) sending.mutate()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (isSendKey(event.nativeEvent)) send()
    if (event.key === 'Escape' && isEmpty) onCancel()
  }

  return (
    <form
      ref={focusText}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <MarkdownField
        label={label}
        description={t('question.formHelp')}
        value={text}
        onChange={setText}
        maxLength={TEXT_LIMITS.questionMarkdown}
        minRows={3}
        onKeyDown={onKeyDown}
      />
      <FormError error={sending.error} />
      <Group mt="xs" gap="xs">
        <Button type="submit" size="xs" loading={sending.isPending} disabled={isEmpty}>
          {sendLabel}
        </Button>
        <Button size="xs" variant="default" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <SavedReplySelect
          onInsert={(saved) => setText(isEmpty ? saved : `${text.trimEnd()}\n\n${saved}`)}
        />
      </Group>
    </form>
  )
}
