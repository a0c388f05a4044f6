import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api/call.ts'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { Row, RowList } from '../../components/lists/row-list.tsx'
import { Section } from '../../components/page/section.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { refresh } from '../../lib/api/query-client.ts'
import { deletedCoursesQuery } from './api.ts'

/** Deleted courses that the user may restore; nothing if there are none. */
export function DeletedCourses() {
  const { t } = useTranslation()
  const deleted = useQuery(deletedCoursesQuery)
  const restore = useMutation({
    mutationFn: (course: string) =>
      call('POST /course/:name/restore', { params: { name: course } }),
    onSuccess: () => refresh(['courses']),
  })
  if (!deleted.data || deleted.data.length === 0) return null
  return (
    <Section title={t('courseSettings.deleted')} help={t('courseSettings.deletedHelp')}>
      <ErrorBox of={restore} />
      <RowList>
        {deleted.data.map(({ course, deletedAt }) => (
          <Row
            key={course}
            title={course}
            facts={
              deletedAt === undefined ? null : (
                <span>
                  {t('courseSettings.deletedAt')} <TimeText at={deletedAt} />
                </span>
              )
            }
            action={
              <Button
                size="xs"
                variant="default"
                leftSection={<IconArrowBackUp size={15} aria-hidden="true" />}
                aria-label={t('courseSettings.restoreOf', { name: course })}
                loading={restore.isPending && restore.variables === course}
                onClick={() => restore.mutate(course)}
              >
                {t('courseSettings.restore')}
              </Button>
            }
          />
        ))}
      </RowList>
    </Section>
  )
}
