/** GET /homework/:id/programs: the programs that count in a homework, in folders named by people. */
import type { UserInfo } from '#contract/fields'
import type { ProblemProgress, SentHomework } from '#contract/homeworks'
import { toFileName } from '../../lib/file-names.ts'
import type { NewFile } from '../../lib/zip-writer.ts'
import { lostFile, marksFile, programsOf, type Source } from './parts.ts'
import { pagesOfIds } from './queries.ts'

/** The submission whose program counts; for a mark that is kept, the best one. */
function countedOf({ counted, kept, bestId, late }: ProblemProgress): string | null {
  return counted ?? (kept ? (bestId ?? late?.bestId ?? null) : null)
}

/** Submission → its file, without an ending. A folder begins with the username, so that no two people share one. */
function namesOf({ problems, studentStatus }: SentHomework, students: UserInfo[]) {
  const names = new Map<string, string>()
  const status = new Map(Object.entries(studentStatus))
  for (const { username, displayedName } of students) {
    const folder = toFileName(`${username} ${displayedName}`)
    for (const [index, { problemId, problemName }] of problems.entries()) {
      const progress = status.get(username)?.[problemId]
      const id = progress && countedOf(progress)
      if (id) names.set(id, `${folder}/${toFileName(`${index + 1} ${problemName}`)}`)
    }
  }
  return names
}

/** The files of a homework's zip. */
export async function* filesOfHomework(
  source: Source,
  homework: SentHomework,
  students: UserInfo[],
): AsyncGenerator<NewFile> {
  yield marksFile('marks.csv', homework, students)
  const names = namesOf(homework, students)
  const pages = pagesOfIds(source.db, [...names.keys()])
  yield* programsOf(source, pages, ({ id }) => names.get(id) ?? id)
  yield* lostFile(source)
}
