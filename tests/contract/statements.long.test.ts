/**
 * Every statement of the Worker is valid against the migrated schema. The test calls the exported queries with stand-ins for
 * their parameters. SQLite prepares what they send, and every `sql` template must be part of one of these statements.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql, type SQL } from 'drizzle-orm'
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'
import { standIn } from './stand-in.ts'

const root = join(import.meta.dirname, '../..')
const worker = join(root, 'worker')

const files = readdirSync(worker, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(db|features|background)\/.*\.ts$/.test(file) && file !== 'db/schema.ts')
  .filter((file) => readFileSync(join(worker, file), 'utf8').includes("from 'drizzle-orm'"))

/** Exports that make parts of statements; the test checks the whole statements instead. */
const PARTS = new Set(['demandCurrent', 'execute', 'insertJudgements', 'insertSelect', 'nextPage'])

const link = { userId: 1, purpose: 'reset', tokenHash: '1' }
const account = { username: 'a', email: 'a@b', role: 2, active: true, displayedName: 'A' }
const actor = { ...account, id: 1, bio: '' }
const users: Record<string, unknown> = await import(join(worker, 'features/users/queries.ts'))
const actorVersion = (users['accountVersion'] as (of: object) => number)(actor)
const hintQueries: Record<string, unknown> = await import(
  join(worker, 'features/mistakes/hint-queries.ts')
)
const [triesOfMistake, triesOfCase] = [
  { mistake: '1', task: null, caseIndex: null },
  { mistake: null, task: 1, caseIndex: 1 },
].map((about) =>
  (hintQueries['selectTries'] as (problemId: number, about: object) => SQL)(1, about),
)
const write = { username: 'a', email: 'a@b', displayedName: null, role: null, passwordHash: null }
const aboutLine = {
  courseId: 1,
  problemId: 1,
  homeworkId: null,
  columnId: null,
  teacherOnly: false,
  submissionId: '1',
  line: 1,
  studentId: 1,
}
const text = { markdown: '1', key: '1' }
const which = sql`1`
const whose = sql`(1)`
const someone = { standing: 'student', user: actor, which, progress: whose, now: 0 }
const mark = { homeworkId: '1', userId: 1, problemId: 1, value: 1 }
const course = { id: 1, name: 'a', standing: 'teacher' }
const homework = { homeworkId: '1', courseId: 1, timeZone: 'UTC', course: 'a', standing: 'student' }
const change = { actor, ip: '', now: 1 }
const noDates = () => ({ overrides: [], labelled: [], statements: [] })
const joiner = { codeHash: '1', courseId: 1, timeZone: 'UTC', role: 'student' }
const told = { courseId: 1, timeZone: 'UTC', subjectId: '1', actorId: 1, now: 1 }
const anybody = { courseId: null, userId: null, offset: 0, limit: 1 }

/** Calls that need real arguments: a list, an object that is copied, or a value that decides which branch runs. */
const ARGUMENTS: Readonly<Record<string, unknown[][]>> = {
  insertComments: [
    [
      aboutLine,
      {
        tries: sql`select 1 as user_id, '1' as submission_id`,
        demanded: ['forbidden', sql`1`],
        isMeant: sql`1`,
      },
      text,
      change,
    ],
  ],
  changeDates: [[{ courseId: 1, which, people: whose, actor }, noDates]],
  copyHomeworks: [
    [[{ id: '1', copyId: '2' }], { courseId: 1, copies: sql`select 1 as id, 2 as copy_id` }, 1],
  ],
  changeOverrides: [[homework, [{ username: null, due: 2 }], change]],
  changeMemberLabels: [[course, { members: [{ username: 'a', labels: [1] }] }, null, change]],
  copyHomework: [1, 2].map((id) => [homework, { ...course, id }, { start: 1, end: 2 }, change]),
  countKeptMarks: [['1', sql`(1)`]],
  deleteOldNotices: [[Number.MAX_SAFE_INTEGER]],
  dropReachedMarks: [['1', sql`(1)`]],
  failExhausted: [[1, ['1']]],
  getCourse: ['ta', 'student'].map((standing) => [standIn(), { id: 1, standing, teacherId: 1 }]),
  getPair: [['1', ['1', '2']]],
  insertAudit: [
    [change, { action: 'a', when: which }],
    [change, { action: 'a', from: sql`from (select 1)` }],
  ],
  insertMessage: [[{ ...aboutLine, questionId: '1', standing: 'student' }, text, standIn()]],
  insertNotice: [
    [{ ...told, kind: 'answer', userId: 1 }],
    [{ ...told, kind: 'due_tomorrow', at: 2, mailed: which }],
  ],
  insertQuestion: [
    [{ ...aboutLine, standing: 'student' }, text, standIn()],
    [{ ...aboutLine, submissionId: null, line: null, standing: 'ta' }, text, standIn()],
    [
      { ...aboutLine, submissionId: null, line: null, problemId: null, columnId: 1 },
      text,
      standIn(),
    ],
  ],
  insertRequest: [[homework, { due: 1, teacherOnly: false, ...text }, '1', change]],
  insertUser: [[{ ...account, passwordHash: null, linkHash: '1' }, standIn()]],
  isStaffSomewhere: [[{ id: 1, role: 2 }]],
  join: [[joiner, change]],
  keepMarks: [['1', sql`(1)`]],
  listChanges: [[1, { after: [1, '1'], limit: 1 }]],
  listHomeworks: [[{ id: 1, standing: 'teacher' }, standIn(), 1, 'all']],
  listListeners: [
    [1, { capability: 'course.read', but: 1 }, 1],
    [1, { capability: 'course.read', but: 1, among: sql`select 1` }, 1],
    [
      1,
      { capability: 'course.read', but: null, among: sql`select user_id from (${triesOfMistake})` },
      1,
    ],
  ],
  listQuestions: ['ta', 'student'].map((standing) => [
    { id: 1 },
    { id: 1, standing },
    { problemId: 1, limit: 1 },
  ]),
  listSubmissions: [
    [anybody],
    [{ ...anybody, status: -1, languageType: 0 }],
    [{ ...anybody, before: '1', username: 'a', courseId: 1 }],
    [{ ...anybody, courseId: 1, problemId: 1, status: 0 }],
    [{ ...anybody, courseId: 1, label: 1 }],
  ],
  listTriesOf: [triesOfMistake, triesOfCase].map((tries) => [tries, [1]]),
  listUsers: [
    [{ search: '', limit: 1 }],
    [{ search: 'a', limit: 1 }],
    [{ search: 'a', limit: 1, cursor: btoa('{"step":1,"key":"a","id":1}') }],
    [{ search: 'a', limit: 1, course: 'a' }],
  ],
  readScoreboard: [
    [1, [], {}],
    [1, [1], { start: 1, end: 2 }],
  ],
  readSources: [[['1']]],
  readSharing: [[someone], [{ ...someone, progress: 'all' }]],
  releaseJudgement: [['1', { lease: '1', drained: false, fault: 'job', reason: '1' }, 1]],
  replaceLabels: [[course, { labels: [{ id: 1, name: 'a', shown: true }] }, null, change]],
  selectAsked: [[which, whose]],
  selectAttempts: [[someone], [someone, 'ever']],
  selectHomeworkSettings: [[someone]],
  selectLabelled: [[which, whose]],
  selectMarks: [[someone]],
  selectMarksState: [[which, whose]],
  selectOverrides: [[which, whose]],
  selectSpending: [[someone], [{ ...someone, progress: 'all' }]],
  selectUnshown: [[someone]],
  storeJoiner: [
    [
      { ...account, passwordHash: '1', confirmDueAt: 1 },
      { ...joiner, email: null },
      { ip: '', now: 1 },
      { tokenHash: '1', oldTokenHash: null, shared: false },
    ],
  ],
  setWebhook: [[course, 'https://a.example', change]],
  storeLink: [[link, null, standIn()]],
  storeRecovery: [['1', [link], false, standIn()]],
  storeResult: [
    ['1', { lease: '1', status: 0, score: 1, runTime: 1, memoryUsage: 1, tasks: [] }, {}, 1],
  ],
  storeSignup: [
    [
      ['create', 'update', 'enrol'].map((action) => ({ ...write, action })),
      { actorId: 1, course: 'a', ip: '', now: 1 },
    ],
  ],
  updateCourse: [
    [standIn(), standIn(), standIn(), standIn()],
    [
      { id: 1, name: 'a', timeZone: 'UTC' },
      { timeZone: 'Asia/Taipei', keepWallTimes: true },
      null,
      standIn(),
    ],
  ],
  updateHomework: [[homework, standIn(), null, change]],
  updateProfile: [[{ bio: 'b' }, actorVersion, change]],
  updateUser: [[standIn(), { role: 1 }, null, standIn()]],
  writeKept: [[[mark], [mark]]],
}

/** Files with templates that these calls do not reach, and the test that runs them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'background/stored-objects.ts': 'storage.long.test.ts',
  'db/standing.ts': 'closed.test.ts',
  'features/archive/queries.ts': 'archive.test.ts',
  'features/gradebook/page-queries.ts': 'page.test.ts',
  'features/gradebook/rebuild.ts': 'marks.test.ts',
  'features/gradebook/refresh-step.ts': 'marks.test.ts',
  'features/gradebook/shown-queries.ts': 'shown.test.ts',
  'features/gradebook/told.ts': 'told.test.ts',
  'features/homeworks/queries.ts': 'late-days.test.ts',
  'features/late-days/edit-queries.ts': 'late-days.test.ts',
  'features/joining/invite.ts': 'invitations.test.ts',
  'features/mistakes/looked-queries.ts': 'hint-secrets.test.ts',
  'features/mistakes/mistake-queries.ts': 'comments.test.ts',
  'features/notices/timed-queries.ts': 'timed.test.ts',
  'features/questions/regrade-queries.ts': 'regrade.test.ts',
  'features/questions/request-queries.ts': 'requests.test.ts',
  'features/judging/rejudge/operation-queries.ts': 'rejudge-neighbours.test.ts',
  'features/runners/queries.ts': 'stale-edits.test.ts',
  'features/storage/pack.ts': 'output-packs.test.ts',
  'features/storage/pack-old.ts': 'packs.test.ts',
  'features/storage/pack-outputs.ts': 'output-packs.test.ts',
  'features/storage/pack-queries.ts': 'packs.test.ts',
  'features/storage/unpack-queries.ts': 'packs.test.ts',
  'features/submissions/pending-tag.ts': 'submissions-polling.test.ts',
}

function migrated(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  // Wrangler's own table, in which it notes applied migrations.
  database.exec('create table d1_migrations (name text)')
  const folder = join(root, 'migrations')
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted())
    database.exec(readFileSync(join(folder, file), 'utf8'))
  return database
}

/** A D1 that notes statements and answers each with `rows`. */
function notingD1(sent: Set<string>, rows: unknown[]) {
  const answer = () => Promise.resolve({ results: rows, success: true, meta: {} })
  const prepare = (sql: string) => {
    sent.add(sql)
    const statement = { bind: () => statement, all: answer, run: answer, raw: async () => [] }
    return statement
  }
  const batch = (list: unknown[]) => Promise.all(list.map(answer))
  return { prepare, batch }
}

/** The texts between the holes of a file's `sql` templates. */
function templatesOf(file: string): string[][] {
  const found: string[][] = []
  const { program } = parseSync(file, readFileSync(join(worker, file), 'utf8'))
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type === 'Identifier' && tag.name === 'sql')
        found.push(quasi.quasis.map(({ value }) => value.cooked ?? ''))
    },
  }).visit(program)
  return found
}

/** The statements of every export that takes a database first, each with its file and export. */
async function sentByAll(): Promise<Map<string, string>> {
  const { openDb } = await import(join(worker, 'db/client.ts'))
  const all = new Map<string, string>()
  for (const file of files) {
    const source = readFileSync(join(worker, file), 'utf8')
    const exports: Record<string, unknown> = await import(join(worker, file))
    for (const [name, query] of Object.entries(exports)) {
      if (typeof query !== 'function' || PARTS.has(name)) continue
      if (!new RegExp(`function ${name}(<[^(]*>)?\\(\\s*db: Db`).test(source)) continue
      const standIns = Array.from({ length: 6 }, () => standIn())
      for (const parts of ARGUMENTS[name] ?? [standIns])
        for (const rows of [[], [standIn()]]) {
          const sent = new Set<string>()
          // An export may fail on stand-ins after it has sent its statements.
          await Promise.resolve()
            .then(() => query(openDb(notingD1(sent, rows)), ...parts))
            .then((made) => Promise.all(Array.isArray(made) ? made : []))
            .catch(() => undefined)
          for (const sql of sent) all.set(sql, `${file} ${name}`)
        }
    }
  }
  return all
}

test('every statement is valid, and every template is part of one', async () => {
  const database = migrated()
  const sent = await sentByAll()
  const refused = [...sent].flatMap(([sql, where]) => {
    try {
      database.prepare(sql)
      return []
    } catch (error) {
      return [`${where}: ${String(error)}: ${sql}`]
    }
  })
  expect(refused).toEqual([])
  const holds = (sql: string, parts: string[]) => {
    let at = 0
    return parts.every((part) => (at = sql.indexOf(part, at) + part.length) >= part.length)
  }
  const unsent = files
    .filter((file) => !(file in ELSEWHERE))
    .flatMap((file) =>
      templatesOf(file)
        .filter((parts) => ![...sent.keys()].some((sql) => holds(sql, parts)))
        .map((parts) => `${file}: ${parts.join('…')}`),
    )
  expect(unsent).toEqual([])
})
