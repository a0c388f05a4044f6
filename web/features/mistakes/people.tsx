import { Anchor, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { MistakeTry } from '#contract/mistakes'
import { Person } from '../../components/display/person.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { LoadMore } from '../../components/lists/load-more.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { paths } from '../../paths.ts'
import { mistakePeopleQuery } from './api.ts'
import classes from './mistakes.module.css'

/** People shown at first and with each "Load more". */
const PAGE = 60

/** A person with the link to the last failing try. */
function PersonItem({ of: { user, submissionId, isSolved } }: { of: MistakeTry }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  return (
    <li className={classes.person}>
      <Anchor component={Link} to={paths.submission(course, submissionId)}>
        <Person user={user} />
      </Anchor>
      {isSolved ? (
        <Text span fz="0.8125rem" c="dimmed">
          {' '}
          <IconCheck size={14} aria-hidden="true" className={classes.icon} />{' '}
          {t('mistakes.solvedNow')}
        </Text>
      ) : null}
    </li>
  )
}

/** The people of a group, with their last failing tries. */
export function People({ problemId, mistake }: { problemId: number; mistake: string }) {
  const { t } = useTranslation()
  const id = useId()
  const [shown, setShown] = useState(PAGE)
  const people = useQuery(mistakePeopleQuery(problemId, mistake))
  const tries = people.data?.tries ?? []
  return (
    <section aria-labelledby={id}>
      <Text id={id} fw={600} mb={6}>
        {t('mistakes.whose')}
      </Text>
      {people.isPending ? <RowsSkeleton rows={2} height={32} /> : null}
      <ErrorBox of={people} />
      <LoadMore
        list={{
          hasNextPage: tries.length > shown,
          isFetchingNextPage: false,
          fetchNextPage: async () => setShown(shown + PAGE),
        }}
        count={Math.min(shown, tries.length)}
      >
        <ul className={`app-list ${classes.peopleList}`}>
          {tries.slice(0, shown).map((each) => (
            <PersonItem key={each.submissionId} of={each} />
          ))}
        </ul>
      </LoadMore>
    </section>
  )
}
