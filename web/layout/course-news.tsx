import { useQuery } from '@tanstack/react-query'
import { lazy, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { FallbackBoundary } from '../components/feedback/fallback-boundary.tsx'
import {
  addNews,
  catchUpOnNews,
  forgetNews,
  idOf,
  isLookedAt,
  newsQuery,
} from '../lib/live/course-news.ts'
import { useLive } from '../lib/live/live.ts'
import { refresh } from '../lib/api/query-client.ts'
import { refreshNotices } from '../lib/queries/notices.ts'
import { refreshHomework } from '../lib/queries/refresh-homework.ts'
import { refreshQuestions } from '../lib/queries/questions.ts'
import { useSession } from '../lib/session/session.ts'
import classes from './notices.module.css'

/** Loaded with the first news: most visits have none. */
const NewsBanner = lazy(async () => ({ default: (await import('./news-banner.tsx')).NewsBanner }))

/** Says above the page what staff have just written in the user's courses, until the user reads or closes it. */
export function CourseNews({ course }: { course: string }) {
  const { t } = useTranslation()
  const { user } = useSession()
  const { data: shown = [] } = useQuery(newsQuery)
  const hintsCome = useLive(true, (hint) => {
    refreshNotices(hint)
    if (hint?.kind === 'announcement') {
      void refresh(['announcements', hint.course])
      addNews(hint)
    } else if (hint?.kind === 'question') {
      void refreshQuestions()
      if (hint.isAnswer) addNews(hint)
    } else if (hint?.kind === 'homework') {
      void refreshHomework(hint.homeworkId)
    } else if (hint === null && isLookedAt(course)) void refreshQuestions()
  })
  const username = user?.username
  useEffect(() => {
    // If this fails, it is tried again when hints come again.
    if (hintsCome && username !== undefined) catchUpOnNews(course, username).catch(() => undefined)
  }, [hintsCome, course, username])
  return (
    <div role="log" aria-label={t('news.label')} className={`app-screen-only ${classes.newsSlot}`}>
      <FallbackBoundary fallback={null}>
        {shown.map((news) => (
          <NewsBanner key={idOf(news)} news={news} onSeen={() => forgetNews(news)} />
        ))}
      </FallbackBoundary>
    </div>
  )
}
