import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Label } from '#contract/labels'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { nameKey } from '#contract/names'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { courseEtag, giveLabels, refreshLabels, saveLabels } from './label-calls.ts'

/** What the form changes: labels by id, and a new label for all. */
interface Changes {
  given: ReadonlyMap<number, boolean>
  newName: string | null
}

/** Makes the new label, if there is one, then gives the students their labels. */
function useGiving(students: readonly string[], onDone: (kept: number) => void) {
  const { course, labels, memberLabels } = useCourse()
  const [etag] = useState(() => courseEtag(course))
  return useMutation({
    mutationFn: async ({ given, newName }: Changes) => {
      const made =
        newName === null
          ? null
          : await saveLabels(course, [...labels, { id: null, name: newName, shown: false }], etag)
      const all = made?.labels ?? labels
      const isKnown = (id: number) => labels.some((label) => label.id === id)
      const members = students.map((username) => ({
        username,
        labels: all
          .map(({ id }) => id)
          .filter(
            (id) => given.get(id) ?? (!isKnown(id) || memberLabels.get(username)?.includes(id)),
          ),
      }))
      // The new label has made a new version of the course.
      return giveLabels(course, members, made === null ? etag : null)
    },
    onSuccess: onDone,
    onSettled: () => refreshLabels(course),
  })
}

interface LabelBoxProps {
  label: Label
  students: readonly string[]
  /** What was pressed; undefined: the students have the label or not, as before. */
  isGiven: boolean | undefined
  onChange: (isGiven: boolean) => void
}

/** Whether the students have a label; neither on nor off if some of them have it. */
function LabelBox({ label: { id, name }, students, isGiven, onChange }: LabelBoxProps) {
  const { t } = useTranslation()
  const { memberLabels } = useCourse()
  const count = students.filter((each) => memberLabels.get(each)?.includes(id)).length
  const isSome = isGiven === undefined && count > 0 && count < students.length
  return (
    <Checkbox
      label={name}
      description={isSome ? t('labels.some', { count, total: students.length }) : null}
      indeterminate={isSome}
      checked={isGiven ?? count === students.length}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}

interface GiveLabelsProps {
  /** Usernames. */
  students: readonly string[]
  onDone: (kept: number) => void
  onClose: () => void
}

/** Gives several students labels, or takes labels from them; labels that are not pressed stay as they are. */
export function GiveLabels({ students, onDone, onClose }: GiveLabelsProps) {
  const { t } = useTranslation()
  const { labels } = useCourse()
  const [given, setGiven] = useState<Changes['given']>(new Map())
  const [text, setText] = useState('')
  const [isNew, setIsNew] = useState(labels.length === 0)
  const giving = useGiving(students, (kept) => {
    onDone(kept)
    onClose()
  })
  const typed = text.trim()
  const found = labels.filter(({ name }) => nameKey(name).includes(nameKey(typed)))
  const canBeNew =
    typed !== '' &&
    labels.length < COUNT_LIMITS.labels &&
    !labels.some(({ name }) => nameKey(name) === nameKey(typed))
  const newName = canBeNew && isNew ? typed : null

  function send(event: FormEvent) {
    event.preventDefault()
    giving.mutate({ given, newName })
  }

  return (
    <form onSubmit={send}>
      <Stack gap="sm">
        <TextInput
          label={t(labels.length === 0 ? 'labels.newName' : 'labels.findOrMake')}
          value={text}
          maxLength={TEXT_LIMITS.labelName}
          autoComplete="off"
          data-autofocus
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {found.map((label) => (
          <LabelBox
            key={label.id}
            label={label}
            students={students}
            isGiven={given.get(label.id)}
            onChange={(isGiven) => setGiven(new Map(given).set(label.id, isGiven))}
          />
        ))}
        {canBeNew ? (
          <Checkbox
            label={t('labels.make', { name: typed })}
            checked={isNew}
            onChange={({ currentTarget }) => setIsNew(currentTarget.checked)}
          />
        ) : null}
        <FormError error={giving.error} />
        <FormButtons
          isSending={giving.isPending}
          disabled={given.size === 0 && newName === null}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}
