import { Button, Skeleton, Stack, Textarea } from '@mantine/core'
import { IconPlus, IconTextPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { addressOfCall, call } from '../../lib/api/call.ts'
import { DialogButton } from '../../components/overlays/dialog-button.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { useOpenedEtag } from '../../lib/api/opened-etag.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { savedRepliesQuery } from '../../lib/queries/questions.ts'
import classes from './list-page.module.css'

interface ReplyFieldProps {
  number: number
  text: string
  onChange: (text: string) => void
  onRemove: () => void
}

function ReplyField({ number, text, onChange, onRemove }: ReplyFieldProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.reply}>
      <Textarea
        aria-label={t('question.savedReply', { number })}
        value={text}
        maxLength={TEXT_LIMITS.savedReply}
        autosize
        minRows={2}
        maxRows={10}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button
        size="xs"
        variant="subtle"
        aria-label={t('question.removeReply', { number })}
        onClick={onRemove}
      >
        {t('common.delete')}
      </Button>
    </div>
  )
}

interface RepliesFormProps {
  stored: string[]
  etag: string | null
  onClose: () => void
}

/** One field for each text; empty texts are not stored. */
function RepliesForm({ stored, etag, onClose }: RepliesFormProps) {
  const { t } = useTranslation()
  const [texts, setTexts] = useState(stored.length > 0 ? stored : [''])
  const saving = useMutation({
    mutationFn: async () => {
      const replies = texts.filter((text) => text.trim() !== '')
      await call('PUT /saved-replies', { body: { replies }, ifMatch: etag })
      await refresh(savedRepliesQuery.queryKey)
    },
    onSuccess: onClose,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <Stack gap="sm">
        {texts.map((text, index) => (
          // Fields are identified by their position.
          <ReplyField
            key={index}
            number={index + 1}
            text={text}
            onChange={(changed) => setTexts(texts.with(index, changed))}
            onRemove={() => setTexts(texts.toSpliced(index, 1))}
          />
        ))}
        {texts.length < COUNT_LIMITS.savedReplies ? (
          <div>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden="true" />}
              onClick={() => setTexts([...texts, ''])}
            >
              {t('question.addReply')}
            </Button>
          </div>
        ) : null}
        <FormError error={saving.error} />
        <FormButtons isSending={saving.isPending} onCancel={onClose} />
      </Stack>
    </form>
  )
}

/** Reads the texts anew before the form opens with them. */
function LoadedForm({ onClose }: Pick<RepliesFormProps, 'onClose'>) {
  const query = useQuery({ ...savedRepliesQuery, staleTime: 0 })
  const isFresh = query.isFetchedAfterMount && query.isSuccess
  const etag = useOpenedEtag({ isSuccess: isFresh }, addressOfCall('GET /saved-replies', {}))
  if (query.isError) return <ErrorBox of={query} />
  if (!isFresh) return <Skeleton height={120} />
  return <RepliesForm stored={query.data.replies} etag={etag} onClose={onClose} />
}

/** The button of the dialog that edits the caller's saved replies. */
export function SavedReplies() {
  const { t } = useTranslation()
  return (
    <DialogButton
      label={t('question.savedReplies')}
      icon={<IconTextPlus size={16} aria-hidden="true" />}
      size="lg"
      keepsInput
    >
      {(close) => <LoadedForm onClose={close} />}
    </DialogButton>
  )
}
