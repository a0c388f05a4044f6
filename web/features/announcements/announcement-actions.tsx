import { Button } from '@mantine/core'
import { IconPencil, IconPin, IconPinnedOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Announcement } from '#contract/announcements'
import { call } from '../../lib/api/call.ts'
import { LinkButton } from '../../components/page/link-button.tsx'
import { ConfirmDelete } from '../../components/overlays/confirm-delete.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { useNavigateFromHere } from '../../lib/navigation/navigate-from-here.ts'
import { queryClient, refresh } from '../../lib/api/query-client.ts'
import { paths } from '../../paths.ts'

interface AnnouncementActionsProps {
  announcement: Announcement
  course: string
  /** ETag of the shown announcement. */
  etag: string | null
  /** The page to open after deletion. */
  listAt: string
}

/** Pins, unpins, edits and deletes an announcement. */
export function AnnouncementActions(props: AnnouncementActionsProps) {
  const { t } = useTranslation()
  const { announcement, course, etag, listAt } = props
  const { annId, title, markdown, pinned } = announcement
  const navigate = useNavigateFromHere()
  const pin = useMutation({
    mutationFn: () =>
      call('PUT /ann', { body: { annId, title, markdown, pinned: !pinned }, ifMatch: etag }),
    // If the change was refused as stale, the announcement is read again, so that the button shows the current state.
    onSettled: () => refresh(['announcements']),
  })

  async function remove() {
    await call('DELETE /ann', { body: { annId }, ifMatch: null })
    // These reads are removed and not repeated, because this page's announcement is gone. The lists are read when they open.
    for (const list of [course, 'system'])
      queryClient.removeQueries({ queryKey: ['announcements', list], exact: true })
    await navigate(listAt)
  }

  return (
    <>
      <Button
        variant="default"
        loading={pin.isPending}
        leftSection={
          pinned ? (
            <IconPinnedOff size={16} aria-hidden="true" />
          ) : (
            <IconPin size={16} aria-hidden="true" />
          )
        }
        onClick={() => pin.mutate()}
      >
        {t(pinned ? 'announcements.unpin' : 'announcements.pin')}
      </Button>
      <LinkButton
        to={paths.editAnnouncement(course, annId)}
        Icon={IconPencil}
        label={t('common.edit')}
      />
      <ConfirmDelete name={title} onDelete={remove} />
      {pin.isError ? <FormError error={pin.error} /> : null}
    </>
  )
}
