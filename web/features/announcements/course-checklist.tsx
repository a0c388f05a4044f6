import { Anchor, Box, Button, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { COURSE_STEPS, type CourseStep } from '#contract/courses'
import { PUBLIC_COURSE } from '#contract/fields'
import { Section } from '../../components/page/section.tsx'
import { courseQuery, useCourse } from '../../lib/queries/course.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { paths } from '../../paths.ts'
import classes from './course-checklist.module.css'

/** The page on which each step is done. */
const PAGES = {
  members: paths.members,
  problem: paths.newProblem,
  testData: paths.problems,
  homework: paths.newHomework,
  announcement: paths.newAnnouncement,
} as const satisfies Record<CourseStep, (course: string) => string>

/**
 * Shows staff what a new course still needs. The list disappears once nothing is missing, or once staff put it away in
 * this browser.
 */
export function CourseChecklist() {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const key = `checklist-put-away:${course}`
  const [isPutAway, setPutAway] = useState(readStored(key) !== null)
  // The course is read again, so that a step that was just done is ticked.
  const { data } = useQuery({ ...courseQuery(course), refetchOnMount: 'always' })
  const lacks = new Set(data?.lacks)
  if (isPutAway || course === PUBLIC_COURSE || lacks.size === 0) return null

  function putAway() {
    writeStored(key, '1')
    setPutAway(true)
  }

  return (
    <Box mb={24}>
      <Section
        title={t('checklist.title')}
        help={t('checklist.help', {
          done: COURSE_STEPS.length - lacks.size,
          all: COURSE_STEPS.length,
        })}
        actions={
          <Button variant="subtle" size="compact-sm" onClick={putAway}>
            {t('checklist.putAway')}
          </Button>
        }
      >
        <ol className={`app-list ${classes.steps}`}>
          {COURSE_STEPS.map((step) => {
            const isDone = !lacks.has(step)
            const Icon = isDone ? IconCircleCheckFilled : IconCircle
            const mayDo = step !== 'members' || may('members.manage')
            return (
              <li key={step} data-done={isDone || undefined}>
                <Icon size={18} aria-hidden="true" />
                <VisuallyHidden>{t(isDone ? 'checklist.done' : 'checklist.open')}</VisuallyHidden>
                {mayDo ? (
                  <Anchor component={Link} to={PAGES[step](course)} inherit>
                    {t(`checklist.${step}`)}
                  </Anchor>
                ) : (
                  t(`checklist.${step}`)
                )}
              </li>
            )
          })}
        </ol>
      </Section>
    </Box>
  )
}
