import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { UserInfo } from '#contract/fields'
import { paths } from '../../paths.ts'
import classes from './person.module.css'

interface PersonProps {
  user: Pick<UserInfo, 'username' | 'displayedName'>
  /** With a course, the name links to the person's submissions in this course. For staff of the course. */
  linkedIn?: string | undefined
}

/** A person by displayed name and username. */
export function Person({ user: { username, displayedName }, linkedIn }: PersonProps) {
  const names =
    displayedName === '' || displayedName === username ? (
      username
    ) : (
      <>
        {displayedName} <span className={classes.username}>{username}</span>
      </>
    )
  if (linkedIn === undefined) return <span>{names}</span>
  return (
    <Anchor component={Link} to={paths.submissions(linkedIn, { username })} inherit>
      {names}
    </Anchor>
  )
}
