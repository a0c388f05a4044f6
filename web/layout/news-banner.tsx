import { Anchor, CloseButton } from '@mantine/core'
import { IconMessage2, IconSpeakerphone, type TablerIcon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { isNotFound } from '../lib/api/api-error.ts'
import { focusMain } from '../lib/focus.ts'
import type { News } from '../lib/live/course-news.ts'
import { announcementQuery } from '../lib/queries/announcements.ts'
import { questionPath, questionQuery } from '../lib/queries/questions.ts'
import { paths } from '../paths.ts'
import classes from './notices.module.css'

interface NoticeProps {
  Icon: TablerIcon
  text: string
  /** The page that shows the news. Opening this page ends the notice, unless the address names a part of the page (`NewAnswer`). */
  to: string
  onSeen: () => void
}

function Notice({ Icon, text, to, onSeen }: NoticeProps) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const isHere = to === encodeURI(decodeURI(pathname))
  const see = useEffectEvent(onSeen)
  useEffect(() => {
    if (isHere) see()
  }, [isHere])
  return (
    <div className={classes.banner} data-news>
      <Icon size={18} aria-hidden="true" />
      <Anchor component={Link} to={to} inherit underline="always" c="inherit">
        {text}
      </Anchor>
      <CloseButton
        c="inherit"
        ml="auto"
        flex="none"
        aria-label={t('news.close', { text })}
        onClick={() => {
          onSeen()
          focusMain()
        }}
      />
    </div>
  )
}

interface OneProps<Kind extends News['kind']> {
  news: Extract<News, { kind: Kind }>
  onSeen: () => void
}

function NewAnnouncement({ news: { course, annId }, onSeen }: OneProps<'announcement'>) {
  const { t } = useTranslation()
  const { data, isLoadingError, error } = useQuery(announcementQuery(course, annId))
  // A deleted announcement is no news. After any other failure the notice still says that there is an announcement.
  if (isNotFound(error) || (!data && !isLoadingError)) return null
  const text = data
    ? t('news.announcement', { course, title: data.title })
    : t('news.someAnnouncement', { course })
  const to = paths.announcement(course, annId)
  return <Notice Icon={IconSpeakerphone} text={text} to={to} onSeen={onSeen} />
}

/** Shown until the student has seen the thread: the API says whether the thread still waits for the student. */
function NewAnswer({ news: { questionId }, onSeen }: OneProps<'question'>) {
  const { t } = useTranslation()
  const { data } = useQuery(questionQuery(questionId))
  if (data?.waiting !== true) return null
  const text = t('news.answer', { problem: data.problemName ?? data.request?.homeworkName })
  return <Notice Icon={IconMessage2} text={text} to={questionPath(data)} onSeen={onSeen} />
}

/** News above the page, until the user reads or closes it. */
export function NewsBanner({ news, onSeen }: { news: News; onSeen: () => void }) {
  return news.kind === 'announcement' ? (
    <NewAnnouncement news={news} onSeen={onSeen} />
  ) : (
    <NewAnswer news={news} onSeen={onSeen} />
  )
}
