import { Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { SubmissionDetail } from '#contract/submissions'
import { GivenText } from '../../components/homeworks/given-points.tsx'
import classes from './submission-page.module.css'

/** The points that staff gave the submitter for this problem, in each homework that has it. */
export function SubmissionGiven({ submission: { given } }: { submission: SubmissionDetail }) {
  const { t } = useTranslation()
  if (given.length === 0) return null
  return (
    <section className={classes.section}>
      <Title order={2}>{t('points.title')}</Title>
      <div className={`app-card ${classes.reason}`}>
        {given.map((each) => (
          <div key={each.homeworkId}>
            <strong>{each.homework}</strong>
            <GivenText given={each} most={each.most} />
          </div>
        ))}
      </div>
    </section>
  )
}
