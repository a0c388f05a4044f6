import { Alert, Button, Group, Text } from '@mantine/core'
import { IconCopyPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import * as z from 'zod'
import { courseCopied } from '#contract/course-copy'
import { FormError } from '../../components/forms/form-error.tsx'
import { call } from '../../lib/api/call.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { paths } from '../../paths.ts'

/** What the page of the copy hands over: what came along, and what was filled in there, for an undo. */
const arrival = z.object({
  copied: courseCopied,
  values: z.looseObject({ closeOld: z.boolean().optional() }),
})

/** In a copied course that nobody has joined: what came along, and the undo by one press. Nothing elsewhere. */
export function CopiedNotice() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { course, copiedFrom, TAs, students, may } = useCourse()
  const { data: from } = arrival.safeParse(useLocation().state)
  const undo = useMutation({
    mutationFn: async () => {
      await call('DELETE /course', { body: { course }, ifMatch: null })
      if (copiedFrom == null || !from?.values.closeOld) return
      const body = { course: copiedFrom, closed: false }
      await call('PUT /course', { body, ifMatch: null })
      await refresh(['course', copiedFrom])
    },
    onSuccess: async () => {
      await navigate(paths.copyCourse(copiedFrom ?? ''), {
        replace: true,
        state: { values: from?.values },
      })
      await refresh(['courses'])
    },
  })
  if (copiedFrom == null || TAs.length + students.length > 0) return null
  const numbers = from?.copied.course === course ? from.copied : null
  return (
    <Alert color="blue" mb={24} icon={<IconCopyPlus aria-hidden="true" />}>
      <Group justify="space-between" gap="8px 16px">
        <Text component="output" size="sm">
          {numbers === null
            ? t('courseCopy.copiedFrom', { name: copiedFrom })
            : t('courseCopy.cameAlong', {
                problems: t('courseCopy.problems', { count: numbers.problems }),
                homeworks: t('courseCopy.homeworks', { count: numbers.homeworks }),
                announcements: t('courseCopy.announcements', { count: numbers.announcements }),
              })}{' '}
          {t('courseCopy.undoHelp')}
        </Text>
        {may('course.manage') ? (
          <Button
            size="xs"
            variant="default"
            loading={undo.isPending}
            onClick={() => undo.mutate()}
          >
            {t('common.undo')}
          </Button>
        ) : null}
      </Group>
      <FormError error={undo.error} />
    </Alert>
  )
}
