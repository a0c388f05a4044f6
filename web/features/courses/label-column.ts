/** The column of labels in a file of members. A filled cell names all labels of a student; an empty one changes nothing. */
import type { CourseDetail } from '#contract/courses'
import { visibleName } from '#contract/fields'
import type { Label, MemberLabels } from '#contract/labels'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { nameKey } from '#contract/names'
import type { BatchSignupRow } from '#contract/people/auth'
import { queryClient } from '../../lib/api/query-client.ts'
import { courseQuery } from '../../lib/queries/course.ts'
import { courseEtag, giveLabels, refreshLabels, saveLabels } from './label-calls.ts'
import type { Member } from './member-file.ts'

type Labelled = Pick<Member, 'labels'>

/** The names in a cell, separated by semicolons. */
function namesIn({ labels }: Labelled): string[] {
  return labels.split(/[;；]/).flatMap((name) => name.trim() || [])
}

/** What a file does with labels. `count`: the people who get some. */
export interface LabelPlan {
  count: number
  newNames: string[]
  /** Names that no label can have. */
  badNames: string[]
  isTooMany: boolean
}

/** What the members of a file do with labels. @param labels those of the course */
export function planLabels(members: readonly Labelled[], labels: readonly Label[]): LabelPlan {
  const known = new Set(labels.map(({ name }) => nameKey(name)))
  const added = new Map(
    members
      .flatMap(namesIn)
      .filter((name) => !known.has(nameKey(name)))
      .map((name) => [nameKey(name), name]),
  )
  const newNames = [...added.values()]
  const allowed = visibleName(TEXT_LIMITS.labelName)
  return {
    count: members.filter((member) => namesIn(member).length > 0).length,
    newNames,
    badNames: newNames.filter((name) => !allowed.safeParse(name).success),
    isTooMany: labels.length + newNames.length > COUNT_LIMITS.labels,
  }
}

/** The labels of the file's students, who are members by now. @param rows the result of the import, with the usernames */
export function toMemberLabels(
  members: readonly Labelled[],
  rows: readonly BatchSignupRow[],
  { labels, students }: Pick<CourseDetail, 'labels' | 'students'>,
): MemberLabels['members'] {
  const ids = new Map(labels.map(({ id, name }) => [nameKey(name), id]))
  const stored = new Map(students.map(({ username }) => [username.toLowerCase(), username]))
  return rows.flatMap(({ line, username: written }) => {
    const member = members[line - 2]
    const username = stored.get(written.toLowerCase())
    const names = member === undefined ? [] : namesIn(member)
    if (username === undefined || names.length === 0) return []
    const found = names.flatMap((name) => ids.get(nameKey(name)) ?? [])
    return { username, labels: [...new Set(found)] }
  })
}

/** Makes the new labels of a file, then gives its students theirs. @returns how many marks are kept */
export async function storeLabels(
  course: string,
  members: readonly Labelled[],
  rows: readonly BatchSignupRow[],
): Promise<number> {
  if (members.every((member) => namesIn(member).length === 0)) return 0
  const read = await queryClient.fetchQuery({ ...courseQuery(course), staleTime: 0 })
  const etag = courseEtag(course)
  const added = planLabels(members, read.labels).newNames
  const made = added.map((name) => ({ id: null, name, shown: false }))
  const { labels } =
    added.length === 0 ? read : await saveLabels(course, [...read.labels, ...made], etag)
  const changes = toMemberLabels(members, rows, { labels, students: read.students })
  // New labels have made a new version of the course.
  const kept = await giveLabels(course, changes, added.length === 0 ? etag : null)
  await refreshLabels(course)
  return kept
}
