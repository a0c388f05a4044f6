/**
 * GET /course/:name/archive: a course to take home. A call may use 128 MB of memory, the CPU time of wrangler.toml (60 s; Workers
 * Paid allows 5 minutes), 10,000 subrequests, each read of R2 among them, and 1,000 queries of D1
 * (developers.cloudflare.com/workers/platform/limits, /d1/platform/limits). 300,000 submissions take about 600 queries.
 */
import type { SentCourseDetail } from '#contract/courses'
import type { SentHomework } from '#contract/homeworks'
import { toCsv, toCsvLines } from '#contract/csv-table'
import type { Db } from '../../db/client.ts'
import type { SessionUser } from '../../db/sessions.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { toFileName } from '../../lib/file-names.ts'
import { hexIdAt } from '../../lib/ids.ts'
import type { NewFile } from '../../lib/zip-writer.ts'
import { startFile, writeFile } from '../gradebook/file-queries.ts'
import { fileKeyOf } from '../problems/file-queries.ts'
import { toSubtask } from '../problems/queries.ts'
import { lostFile, marksFile, objectFile, programsOf, type Source } from './parts.ts'
import {
  listBudgets,
  pagesOfAnnouncements,
  pagesOfSubmissions,
  problemsOf,
  type ArchivedProblem,
  type ArchivedRow,
} from './queries.ts'

const README = `This is a whole course of the online judge.

course.json                the course, its members, labels, late days, and homeworks with dates and rules
announcements/             the announcements as Markdown, oldest first
problems/<id> <name>/      statement.md, its files, problem.json with all settings, test-data.zip
homeworks/<n> <name>/      marks.csv: each student's points for each problem, and the sum
gradebook.csv              every student's marks in all columns of the gradebook
submissions.csv            every submission; times are seconds since 1970-01-01 UTC
programs/<problem id>/<username>/<submission id>.<ending>
                           the program of every submission
LOST.txt                   only if files were lost: their names
Statuses: -1 waits, 0 AC, 1 WA, 2 CE, 3 TLE, 4 MLE, 5 RE, 6 JE, 7 OLE. Deleted problems and their submissions are left out.
`

/** What is read before the first byte is sent. */
export interface CourseContent {
  course: CourseStanding
  /** Who downloads it. */
  user: SessionUser
  detail: SentCourseDetail
  /** Oldest first. */
  homeworks: SentHomework[]
}

/** A number of two digits at least, so that names sort. */
const numbered = (index: number, name: string) =>
  toFileName(`${String(index + 1).padStart(2, '0')} ${name}`)

const jsonFile = (name: string, value: unknown): NewFile => ({
  name,
  content: JSON.stringify(value, null, 2) + '\n',
})

async function courseFile(
  db: Db,
  { course: { id }, detail, homeworks }: CourseContent,
): Promise<NewFile> {
  const {
    role: _r,
    waitingQuestions: _w,
    lacks: _l,
    unconfirmed: _u,
    emails: _e,
    ...course
  } = detail
  return jsonFile('course.json', {
    ...course,
    budgets: await listBudgets(db, id),
    homeworks: homeworks.map(
      ({ studentStatus: _p, marks: _m, own: _o, status: _s, course: _c, ...homework }) => homework,
    ),
  })
}

async function* announcementFiles(db: Db, courseId: number): AsyncGenerator<NewFile> {
  let index = 0
  for await (const page of pagesOfAnnouncements(db, courseId))
    for (const { title, markdown } of page) {
      yield { name: `announcements/${numbered(index, title)}.md`, content: markdown }
      index += 1
    }
}

/** A statement as one text. */
function toStatement({ name, description }: ArchivedProblem): string {
  const { description: text, input, output, hint } = description
  const parts = { Input: input, Output: output, Hint: hint }
  const sections = Object.entries(parts).filter(([, part]) => part !== '')
  return [`# ${name}`, text, ...sections.map(([head, part]) => `## ${head}\n\n${part}`)].join(
    '\n\n',
  )
}

async function* problemFiles(source: Source, problem: ArchivedProblem): AsyncGenerator<NewFile> {
  const folder = `problems/${toFileName(`${problem.id} ${problem.name}`)}`
  const { files, subtasks, testDataKey, ...settings } = problem
  yield { name: `${folder}/statement.md`, content: toStatement(problem) }
  yield jsonFile(`${folder}/problem.json`, {
    ...settings,
    testCase: subtasks.map(toSubtask),
    files: files.map(({ fileId, name, type }) => ({ fileId, name, type })),
  })
  for (const { fileId, name } of files)
    yield* objectFile(
      source,
      `${folder}/files/${toFileName(`${fileId} ${name}`)}`,
      fileKeyOf(fileId),
    )
  if (testDataKey !== null) yield* objectFile(source, `${folder}/test-data.zip`, testDataKey)
}

const SUBMISSION_COLUMNS = [
  'id',
  'username',
  'problemId',
  'languageType',
  'status',
  'score',
  'time',
] as const satisfies (keyof ArchivedRow)[]

async function* submissionLines(pages: AsyncIterable<ArchivedRow[]>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(toCsv([[...SUBMISSION_COLUMNS]]))
  for await (const page of pages)
    yield Buffer.from(
      toCsvLines(page.map((row) => SUBMISSION_COLUMNS.map((column) => row[column]))),
    )
}

/** The files of a course. */
export async function* filesOfCourse(
  source: Source,
  content: CourseContent,
): AsyncGenerator<NewFile> {
  const { db } = source
  const { course, user, detail, homeworks } = content
  const { id } = course
  // What is handed in meanwhile is left out, so that list and programs agree.
  const before = hexIdAt(Date.now())
  yield { name: 'README.txt', content: README }
  yield await courseFile(db, content)
  yield* announcementFiles(db, id)
  for await (const problem of problemsOf(db, id)) yield* problemFiles(source, problem)
  for (const [index, homework] of homeworks.entries())
    yield marksFile(
      `homeworks/${numbered(index, homework.name)}/marks.csv`,
      homework,
      detail.students,
    )
  // No file of the archive has addresses.
  const start = await startFile(db, course, { emails: false })
  yield { name: 'gradebook.csv', content: writeFile(db, course, user, start) }
  yield {
    name: 'submissions.csv',
    content: submissionLines(pagesOfSubmissions(db, id, before)),
  }
  yield* programsOf(
    source,
    pagesOfSubmissions(db, id, before),
    (row) => `programs/${row.problemId}/${toFileName(row.username)}/${row.id}`,
  )
  yield* lostFile(source)
}
