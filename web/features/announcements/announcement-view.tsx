import { Box } from '@mantine/core'
import { IconPin } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Announcement } from '#contract/announcements'
import { Markdown } from '../../components/markdown/markdown.tsx'
import { Person } from '../../components/display/person.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import classes from './announcement-view.module.css'

/** An announcement's text, with who wrote it and when. */
export function AnnouncementView({ announcement }: { announcement: Announcement }) {
  const { t } = useTranslation()
  return (
    <Box component="article" className="app-card" px={24} pt={20} pb={24}>
      <p className={classes.meta}>
        {announcement.pinned ? (
          <span className={classes.pin}>
            <IconPin size={15} aria-hidden="true" /> {t('announcements.pinned')}
          </span>
        ) : null}
        <span>
          {t('announcements.by')} <Person user={announcement.creator} />
        </span>
        <span>
          {t('announcements.posted')} <TimeText at={announcement.createTime} />
        </span>
        <span>
          {t('announcements.updated')} <TimeText at={announcement.updateTime} />
        </span>
      </p>
      <Markdown text={announcement.markdown} below={1} />
    </Box>
  )
}
