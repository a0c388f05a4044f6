import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GRADEBOOK_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import type { MarkEdit } from './edits.ts'
import type { BlockEdits } from './use-grid.ts'

/** So many faults are listed. */
const FAULTS_SHOWN = 5

interface BlockFormProps {
  change: BlockEdits
  /** The reason that the last change had. */
  reason: string
  onSave: (edits: MarkEdit[], reason: string) => void
  onClose: () => void
}

/** What is no mark. */
function Faults({ faults }: Pick<BlockEdits, 'faults'>) {
  const { t } = useTranslation()
  if (faults.length === 0) return null
  return (
    <div role="alert">
      <Text size="sm">{t('gradebook.grid.block.faults', { count: faults.length })}</Text>
      <List size="sm">
        {faults.slice(0, FAULTS_SHOWN).map(({ username, columnName, text, fault }) => (
          <List.Item key={`${username} ${columnName}`}>
            {`${username}, ${columnName}: “${text}”. ${t(`gradebook.grid.fault.${fault}`)}`}
          </List.Item>
        ))}
      </List>
    </div>
  )
}

/** Asks for the reason of a change of several marks; names what is no mark instead. */
export function BlockForm({ change, reason: lastReason, onSave, onClose }: BlockFormProps) {
  const { t } = useTranslation()
  const [reason, setReason] = useState(lastReason)
  const { edits, faults, leftOut } = change
  const people = new Set(edits.map(({ username }) => username)).size
  const isTooMuch = edits.length > GRADEBOOK_LIMITS.edits
  const canSave = faults.length === 0 && !isTooMuch
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!canSave) return
        onSave(edits, reason)
        onClose()
      }}
    >
      <Stack>
        {edits.length > 0 ? (
          <Text size="sm">
            {t('gradebook.grid.block.changes', { count: edits.length, people })}
            {leftOut > 0 ? ` ${t('gradebook.grid.block.leftOut', { count: leftOut })}` : ''}
          </Text>
        ) : null}
        {isTooMuch ? (
          <Text size="sm" role="alert">
            {t('gradebook.grid.block.tooMany', { most: GRADEBOOK_LIMITS.edits })}
          </Text>
        ) : null}
        <Faults faults={faults} />
        {canSave ? (
          <>
            <TextInput
              label={t('gradebook.grid.reason')}
              maxLength={TEXT_LIMITS.markReason}
              data-autofocus
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
            <FormButtons isSending={false} onCancel={onClose} />
          </>
        ) : (
          <Group justify="flex-end">
            <Button variant="default" data-autofocus onClick={onClose}>
              {t('common.close')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
