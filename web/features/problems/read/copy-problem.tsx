import { Select, Stack, Text } from '@mantine/core'
import { IconCopyPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { problemCreated, type Problem } from '#contract/problems'
import { can } from '#contract/roles'
import { call } from '../../../lib/api/call.ts'
import { DialogButton } from '../../../components/overlays/dialog-button.tsx'
import { FormButtons } from '../../../components/forms/form-buttons.tsx'
import { NothingFound } from '../../../components/lists/nothing-found.tsx'
import { coursesQuery } from '../../../lib/queries/courses.ts'
import { useErrorText } from '../../../lib/api/error-text.ts'
import { refresh } from '../../../lib/api/query-client.ts'
import { paths } from '../../../paths.ts'

function CopyForm({ problem, onCancel }: { problem: Problem; onCancel: () => void }) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const courses = useQuery(coursesQuery)
  const [course, setCourse] = useState<string | null>(null)
  const copy = useMutation({
    mutationFn: (target: string) =>
      call('POST /problem/:id/copy', {
        params: { id: problem.problemId },
        body: { course: target },
        as: problemCreated,
      }),
    onSuccess: async ({ problemId }, target) => {
      await refresh(['problems', target])
      await navigate(paths.problem(target, problemId))
      onCancel()
    },
  })
  const unread = courses.isLoadingError ? errorText(courses.error) : null
  const targets = courses.data?.filter(({ role }) => can(role, 'problem.write')) ?? []
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (course !== null) copy.mutate(course)
      }}
    >
      <Stack>
        <Text size="sm">{t('problem.copyText', { name: problem.problemName })}</Text>
        <Select
          label={t('problem.copyCourse')}
          data={targets.map((item) => item.course)}
          value={course}
          onChange={setCourse}
          searchable
          data-autofocus
          nothingFoundMessage={
            <NothingFound text={unread ?? t('problem.copyNowhere')} isLoading={courses.isPending} />
          }
          error={copy.error === null ? unread : errorText(copy.error)}
        />
        <FormButtons
          label={t('problem.copyStart')}
          isSending={copy.isPending}
          disabled={course === null}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}

/** Copies the problem into a course in which the user is staff, and opens the copy. */
export function CopyProblem({ problem }: { problem: Problem }) {
  const { t } = useTranslation()
  return (
    <DialogButton
      overflows
      label={t('problem.copyTo')}
      icon={<IconCopyPlus size={16} aria-hidden="true" />}
    >
      {(close) => <CopyForm problem={problem} onCancel={close} />}
    </DialogButton>
  )
}
