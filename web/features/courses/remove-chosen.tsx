import { Button } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { COUNT_LIMITS } from '#contract/limits'
import { FormError } from '../../components/forms/form-error.tsx'
import { call } from '../../lib/api/call.ts'
import { askToConfirm } from '../../lib/confirm.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { refreshJoining } from './joining-calls.ts'

interface RemoveChosenProps {
  chosen: ReadonlySet<string>
  onRemoved: (usernames: string[]) => void
}

/** Removes the chosen students from the course, after a question. */
export function RemoveChosen({ chosen, onRemoved }: RemoveChosenProps) {
  const { t } = useTranslation()
  const { course, students } = useCourse()
  const people = students
    .flatMap(({ username }) => (chosen.has(username) ? username : []))
    .slice(0, COUNT_LIMITS.membersPerRequest)
  const count = people.length
  const removal = useMutation({
    mutationFn: (remove: string[]) =>
      call('PATCH /course/:name/members', {
        params: { name: course },
        body: { remove },
        ifMatch: null,
      }),
    onSuccess: async (_, removed) => {
      onRemoved(removed)
      await refreshJoining(course)
    },
  })

  async function askAndRemove() {
    const isSure = await askToConfirm({
      title: t('joinCodes.confirmRemove', { count }),
      text: t('members.confirmRemove.text'),
      label: t('members.remove'),
    })
    if (isSure) removal.mutate(people)
  }

  return (
    <>
      <Button
        variant="default"
        disabled={count === 0}
        loading={removal.isPending}
        leftSection={<IconUserMinus size={16} aria-hidden="true" />}
        onClick={() => void askAndRemove()}
      >
        {t('joinCodes.removeChosen', { count })}
      </Button>
      <FormError error={removal.error} />
    </>
  )
}
