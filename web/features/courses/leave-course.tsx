import { Stack, Text } from '@mantine/core'
import { IconDoorExit } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { DialogButton } from '../../components/overlays/dialog-button.tsx'
import { call } from '../../lib/api/call.ts'
import { queryClient, refresh } from '../../lib/api/query-client.ts'
import { courseQuery } from '../../lib/queries/course.ts'
import { paths } from '../../paths.ts'

function LeaveForm({ course, onClose }: { course: string; onClose: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const leave = useMutation({
    mutationFn: () => call('POST /course/:name/leave', { params: { name: course } }),
    async onSuccess() {
      await navigate(paths.courses(), { state: { left: course } })
      queryClient.removeQueries(courseQuery(course))
      await refresh(['courses'])
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        leave.mutate()
      }}
    >
      <Stack>
        <Text size="sm">{t('join.leave.text')}</Text>
        <FormError error={leave.error} />
        <FormButtons
          label={t('join.leave.button')}
          color="red.9"
          isSending={leave.isPending}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}

/** Ends one's own membership, after a question. */
export function LeaveCourse({ course }: { course: string }) {
  const { t } = useTranslation()
  return (
    <DialogButton
      label={t('join.leave.button')}
      title={t('join.leave.title', { course })}
      icon={<IconDoorExit size={16} aria-hidden="true" />}
    >
      {(close) => <LeaveForm course={course} onClose={close} />}
    </DialogButton>
  )
}
