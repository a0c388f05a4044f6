/** The labels of a course's students, and what is shown of a list when one label is chosen. */
import type { CourseDetail } from '#contract/courses'
import type { Label } from '#contract/labels'

export type Labelled = Pick<CourseDetail, 'labels' | 'memberLabels'>

/** The labels of a person, in the course's order. */
export function labelsOf({ labels, memberLabels }: Labelled, username: string): Label[] {
  const ids = memberLabels.get(username) ?? []
  return labels.filter(({ id }) => ids.includes(id))
}

/** The names of a person's labels as one cell of a file. */
export function labelCell(course: Labelled, username: string): string {
  return labelsOf(course, username)
    .map(({ name }) => name)
    .join('; ')
}

/** The choice of those without a label. */
export const NO_LABEL = 'none'

/** Whether a person is shown. @param choice a label's id, `NO_LABEL`, or empty for everybody */
export function isShownBy(choice: string, { memberLabels }: Labelled, username: string): boolean {
  const ids = memberLabels.get(username) ?? []
  if (choice === NO_LABEL) return ids.length === 0
  return choice === '' || ids.includes(Number(choice))
}
