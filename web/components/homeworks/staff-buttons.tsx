import { lazy } from 'react'
import { useCourse } from '../../lib/queries/course.ts'
import { FallbackBoundary } from '../feedback/fallback-boundary.tsx'
import type { StudentButtonsProps } from './student-buttons.tsx'

const StudentButtons = lazy(async () => ({
  default: (await import('./student-buttons.tsx')).StudentButtons,
}))

/** What staff give a student of the course; students do not load its code. */
export function StaffButtons(props: StudentButtonsProps) {
  const { students, may } = useCourse()
  const isStudent = students.some(({ username }) => username === props.student.username)
  if (!isStudent || !may('homework.write')) return null
  return (
    <FallbackBoundary fallback={null}>
      <StudentButtons {...props} />
    </FallbackBoundary>
  )
}
