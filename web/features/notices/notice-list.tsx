import { Anchor, Badge } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Notice } from '#contract/notices'
import { TimeText } from '../../components/display/time-text.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { PagedList } from '../../components/lists/paged-list.tsx'
import { Row, RowList } from '../../components/lists/row-list.tsx'
import { call } from '../../lib/api/call.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { useLive } from '../../lib/live/live.ts'
import { noticeCountQuery, refreshNotices } from '../../lib/queries/notices.ts'
import { noticesQuery } from './api.ts'
import { noticePath } from './notice-path.ts'
import classes from './notices-page.module.css'

interface NoticeRowProps {
  notice: Notice
  isNew: boolean
}

function NoticeRow({ notice, isNew }: NoticeRowProps) {
  const { t } = useTranslation()
  const { kind, course, title, createTime } = notice
  return (
    <Row
      title={
        <>
          <Anchor component={Link} to={noticePath(notice)} fw={isNew ? 700 : 500}>
            {/* The total has no name of its own. */}
            {t(`notices.says.${kind}`, { course, title: title === '' ? course : title })}
          </Anchor>
          {isNew ? <Badge variant="light">{t('notices.isNew')}</Badge> : null}
        </>
      }
      facts={
        <>
          <span>{course}</span>
          <TimeText at={createTime} relative />
        </>
      }
    />
  )
}

/** Tells the server that the notices have been seen. @returns whether a notice was new when the list was opened, or came since */
function useSeen(items: Notice[]): (notice: Notice) => boolean {
  /** The newest notice that had been seen before; null until the list has been read. */
  const [seenBefore, setSeenBefore] = useState<number | null>(null)
  const [newest, oldest] = [items[0], items.at(-1)]
  if (seenBefore === null && oldest)
    setSeenBefore(items.find(({ isNew }) => !isNew)?.id ?? oldest.id - 1)
  const noticeId = newest?.isNew ? newest.id : null
  useEffect(() => {
    if (noticeId === null) return
    call('PUT /notices/seen', { body: { noticeId } })
      .then(() => refresh(noticeCountQuery.queryKey))
      // If this fails, the notices stay new, and the next visit tries again.
      .catch(() => undefined)
  }, [noticeId])
  return ({ id, isNew }) => isNew || (seenBefore !== null && id > seenBefore)
}

/** What is new in the user's courses, newest first. Showing the list marks its notices as seen. */
export function NoticeList() {
  const { t } = useTranslation()
  const list = useInfiniteQuery(noticesQuery)
  useLive(true, refreshNotices)
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const isNew = useSeen(items)
  return (
    <PagedList
      list={list}
      count={items.length}
      skeleton={{ rows: 8 }}
      empty={<EmptyState Icon={IconBell} text={t('notices.none')} />}
    >
      <div className={`app-card ${classes.list}`}>
        <RowList>
          {items.map((notice) => (
            <NoticeRow key={notice.id} notice={notice} isNew={isNew(notice)} />
          ))}
        </RowList>
      </div>
    </PagedList>
  )
}
