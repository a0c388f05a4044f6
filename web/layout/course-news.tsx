import { Anchor, CloseButton } from '@mantine/core'
import { IconMessage2, IconSpeakerphone, type TablerIcon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import type { LiveHint } from '#contract/live'
import { announcementQuery } from '../lib/announcements.ts'
import { useLive } from '../lib/live.ts'
import { refresh } from '../lib/query-client.ts'
import { questionPath, questionQuery, refreshQuestions } from '../lib/questions.ts'
import { useSession } from '../lib/session.ts'
import { paths } from '../paths.ts'
import classes from './notices.module.css'

/** What is new: an announcement, or a message of staff. */
type News = Extract<LiveHint, { kind: 'announcement' | 'question' }>
type NewsOf<Kind extends News['kind']> = Extract<News, { kind: Kind }>

/** The most that are shown; older ones are in the lists. */
const SHOWN = 3

function idOf(news: News): string {
  return news.kind === 'announcement' ? news.annId : news.questionId
}

interface NoticeProps {
  Icon: TablerIcon
  text: string
  /** Where it is read. Who is there has read it. */
  to: string
  onSeen: () => void
}

function Notice({ Icon, text, to, onSeen }: NoticeProps) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const isHere = to.split('#', 1)[0] === encodeURI(decodeURI(pathname))
  const see = useEffectEvent(onSeen)
  useEffect(() => {
    if (isHere) see()
  }, [isHere])
  return (
    <div className={classes.banner} data-news>
      <Icon size={18} aria-hidden="true" />
      <Anchor component={Link} to={to} inherit underline="always" c="inherit" onClick={onSeen}>
        {text}
      </Anchor>
      <CloseButton
        size="sm"
        c="inherit"
        ml="auto"
        aria-label={t('news.close', { text })}
        onClick={() => {
          onSeen()
          // The button is gone: the keyboard goes on with the page.
          document.getElementById('main')?.focus({ preventScroll: true })
        }}
      />
    </div>
  )
}

interface OneProps<Kind extends News['kind']> {
  news: NewsOf<Kind>
  onSeen: () => void
}

function NewAnnouncement({ news: { course, annId }, onSeen }: OneProps<'announcement'>) {
  const { t } = useTranslation()
  const { data } = useQuery(announcementQuery(course, annId))
  if (!data) return null
  const text = t('news.announcement', { course, title: data.title })
  return (
    <Notice
      Icon={IconSpeakerphone}
      text={text}
      to={paths.announcement(course, annId)}
      onSeen={onSeen}
    />
  )
}

/** Only its student is told: staff have the badge and the inbox. */
function NewAnswer({ news: { questionId }, onSeen }: OneProps<'question'>) {
  const { t } = useTranslation()
  const { user } = useSession()
  const { data } = useQuery(questionQuery(questionId))
  if (data?.student.username !== user?.username || data?.waiting !== true) return null
  const text = t('news.answer', { problem: data.problemName })
  return <Notice Icon={IconMessage2} text={text} to={questionPath(data)} onSeen={onSeen} />
}

/** Says above the page what staff have just written in one's courses, until it is read or closed. */
export function CourseNews() {
  const [shown, setShown] = useState<News[]>([])
  const haveCome = useRef(false)
  useLive(true, (hint) => {
    if (hint === null) {
      // After a pause. What came before the first time, the page has just read.
      if (haveCome.current) void refresh(['announcements'], ['course'])
      haveCome.current = true
      return
    }
    if (hint.kind !== 'announcement' && hint.kind !== 'question') return
    if (hint.kind === 'announcement') void refresh(['announcements', hint.course])
    else void refreshQuestions()
    setShown((before) =>
      [...before.filter((other) => idOf(other) !== idOf(hint)), hint].slice(-SHOWN),
    )
  })
  const forget = (news: News) => setShown((before) => before.filter((other) => other !== news))
  return (
    <output className={classes.newsSlot}>
      {shown.map((news) =>
        news.kind === 'announcement' ? (
          <NewAnnouncement key={news.annId} news={news} onSeen={() => forget(news)} />
        ) : (
          <NewAnswer key={news.questionId} news={news} onSeen={() => forget(news)} />
        ),
      )}
    </output>
  )
}
