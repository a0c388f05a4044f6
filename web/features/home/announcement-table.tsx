import { ActionIcon, Anchor } from '@mantine/core'
import { IconPencil, IconPin, IconSpeakerphone } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AnnouncementItem } from '#contract/announcements'
import { PUBLIC_COURSE } from '#contract/fields'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { LoadMore } from '../../components/lists/load-more.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { TableBox } from '../../components/lists/table-box.tsx'
import { systemAnnouncementsQuery } from '../../lib/queries/announcements.ts'
import { mayInInstallation, useSession } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'
import classes from './announcement-table.module.css'

function AnnouncementRow({ item, mayWrite }: { item: AnnouncementItem; mayWrite: boolean }) {
  const { t } = useTranslation()
  return (
    <tr>
      <td>
        <Anchor
          component={Link}
          to={paths.systemAnnouncement(item.annId)}
          className={classes.title}
        >
          {item.pinned ? (
            <IconPin size={15} className={classes.pin} aria-label={t('announcements.pinned')} />
          ) : null}
          {item.title}
        </Anchor>
        <span className={classes.beneath}>
          <TimeText at={item.createTime} />
        </span>
      </td>
      <td className={classes.time}>
        <TimeText at={item.createTime} />
      </td>
      {mayWrite ? (
        <td>
          <ActionIcon
            component={Link}
            to={paths.editAnnouncement(PUBLIC_COURSE, item.annId)}
            color="petrol"
            aria-label={t('announcements.editNamed', { title: item.title })}
          >
            <IconPencil size={17} />
          </ActionIcon>
        </td>
      ) : null}
    </tr>
  )
}

/** The system announcements: pinned first, then newest. */
export function AnnouncementTable() {
  const { t } = useTranslation()
  const { user } = useSession()
  const list = useInfiniteQuery(systemAnnouncementsQuery)
  if (list.isPending) return <RowsSkeleton rows={4} />
  const mayWrite = mayInInstallation(user, 'announcement.write')
  const newLink = mayWrite ? (
    <Anchor component={Link} to={paths.newAnnouncement(PUBLIC_COURSE)} className={classes.new}>
      {t('announcements.new')}
    </Anchor>
  ) : null
  if (!list.data) return <ErrorBox of={list} />
  const announcements = list.data.pages.flat()
  if (announcements.length === 0)
    return <EmptyState Icon={IconSpeakerphone} text={t('announcements.none')} action={newLink} />
  return (
    <>
      <LoadMore list={list} count={announcements.length}>
        <TableBox>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('announcements.titleColumn')}</th>
                <th scope="col" className={classes.time}>
                  {t('announcements.createdColumn')}
                </th>
                {mayWrite ? <th scope="col">{t('common.actions')}</th> : null}
              </tr>
            </thead>
            <tbody>
              {announcements.map((item) => (
                <AnnouncementRow key={item.annId} item={item} mayWrite={mayWrite} />
              ))}
            </tbody>
          </table>
        </TableBox>
      </LoadMore>
      {newLink}
    </>
  )
}
