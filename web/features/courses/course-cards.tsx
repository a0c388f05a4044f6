import { Badge, Group } from '@mantine/core'
import { Link } from 'react-router'
import type { CourseItem } from '#contract/courses'
import { useOwnRoleText } from '../../lib/queries/courses.ts'
import { paths } from '../../paths.ts'
import classes from './list-page.module.css'

/** Courses as cards, each with its teacher and one's own role; nothing if there are none. */
export function CourseCards({ courses }: { courses: readonly CourseItem[] }) {
  const ownRole = useOwnRoleText()
  if (courses.length === 0) return null
  return (
    <ul className={`app-list ${classes.grid}`}>
      {courses.map((item) => (
        <li key={item.course}>
          <Link to={paths.course(item.course)} className={`app-card ${classes.card}`}>
            <span className={classes.name}>{item.course}</span>
            <Group
              component="span"
              justify="space-between"
              gap={10}
              wrap="nowrap"
              fz="sm"
              c="dimmed"
            >
              {item.teacher.displayedName || item.teacher.username}
              <Badge variant="light" size="sm" flex="none" tt="none">
                {ownRole(item)}
              </Badge>
            </Group>
          </Link>
        </li>
      ))}
    </ul>
  )
}
