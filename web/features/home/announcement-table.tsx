import { ActionIcon, Anchor, Table } from '@mantine/core'
import { IconPencil, IconPin, IconSpeakerphone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { PUBLIC_COURSE } from '#contract/fields'
import { ROLES } from '#contract/roles'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { RowsSkeleton } from '../../components/rows-skeleton.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { systemAnnouncementsQuery } from '../../lib/announcements.ts'
import { roleOf, useSession } from '../../lib/session.ts'
import { paths } from '../../paths.ts'
import classes from './announcement-table.module.css'

/** The system announcements: pinned first, then newest. On narrow screens the time stands beneath the title. */
export function AnnouncementTable() {
  const { t } = useTranslation()
  const { user } = useSession()
  const list = useQuery(systemAnnouncementsQuery)
  if (list.isPending) return <RowsSkeleton rows={4} />
  if (list.isError) return <ErrorBox error={list.error} onRetry={() => void list.refetch()} />
  if (list.data.length === 0)
    return <EmptyState Icon={IconSpeakerphone} text={t('announcements.none')} />
  const isAdmin = roleOf(user) === ROLES.admin
  return (
    <div className="app-table">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('announcements.titleColumn')}</Table.Th>
            <Table.Th scope="col" className={classes.time}>
              {t('announcements.createdColumn')}
            </Table.Th>
            {isAdmin ? <Table.Th scope="col">{t('common.actions')}</Table.Th> : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.data.map((item) => (
            <Table.Tr key={item.annId}>
              <Table.Td>
                <Anchor
                  component={Link}
                  to={paths.systemAnnouncement(item.annId)}
                  className={classes.title}
                >
                  {item.pinned ? (
                    <IconPin
                      size={15}
                      className={classes.pin}
                      aria-label={t('announcements.pinned')}
                    />
                  ) : null}
                  {item.title}
                </Anchor>
                <span className={classes.beneath}>
                  <TimeText at={item.createTime} />
                </span>
              </Table.Td>
              <Table.Td className={classes.time}>
                <TimeText at={item.createTime} />
              </Table.Td>
              {isAdmin ? (
                <Table.Td>
                  <ActionIcon
                    component={Link}
                    to={paths.editAnnouncement(PUBLIC_COURSE, item.annId)}
                    variant="subtle"
                    aria-label={t('announcements.editNamed', { title: item.title })}
                  >
                    <IconPencil size={17} />
                  </ActionIcon>
                </Table.Td>
              ) : null}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
