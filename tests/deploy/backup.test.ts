import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeBackup } from '../../scripts/backup/backup.ts'
import {
  digestOf,
  objectFile,
  readManifest,
  writeManifest,
  type Manifest,
} from '../../scripts/backup/folder.ts'
import type { Installation } from '../../scripts/backup/installation.ts'
import { openLocal } from '../../scripts/backup/local.ts'
import { openRemote } from '../../scripts/backup/remote.ts'
import { restoreBackup } from '../../scripts/backup/restore.ts'
import { LEFT_OUT } from '../../scripts/backup/tables.ts'
import { DEMO_ADMIN } from '../../scripts/demo/accounts.ts'
import { termProblems } from '../../scripts/demo/term/plan.ts'
import { termPrograms } from '../../scripts/demo/term/program-files.ts'
import { historyStatements, peopleStatement } from '../../scripts/demo/term/statements.ts'
import { openCloudflare } from '../../scripts/deploy/cloudflare.ts'
import { namesOf } from '../../scripts/deploy/names.ts'
import { prepareDatabase } from '../../scripts/stack/local-database.ts'
import { TOKEN } from './cloudflare.ts'
import { useCloudflare } from './try.ts'

const { standIn, deploy } = await useCloudflare()
const root = mkdtempSync(join(tmpdir(), 'backup-'))
const term = join(root, 'term')
const say = () => {}
const ALL = { withOutputs: true }

/** Objects of all kinds: empty, text, and larger than a page of memory. */
const OBJECTS: Record<string, Buffer> = {
  'test-data/1/a.zip': Buffer.alloc(3_000_000, 'test data'),
  'files/f1': Buffer.from('%PDF-1.7 ü'),
  'outputs/o1': Buffer.alloc(0),
  'packs/p1': Buffer.from('packed'),
  'requests/r1': Buffer.from('a note'),
}

/** The people and submissions of the demo's term, in a course whose problems have no test data. */
const TERM = [
  peopleStatement(Date.now()),
  {
    sql: `insert into courses (id, name, name_key, teacher_id, time_zone, created_at) values (2, 'Demo', 'demo', 1, 'UTC', 0)`,
    parameters: [],
  },
  {
    sql: `insert into problems (course_id, name, status, type, owner_id, tags, quota, allowed_language, description, compare, created_at, updated_at)
      select 2, value, 0, 0, 1, '[]', -1, 7, '{}', '{}', 0, 0 from json_each(?)`,
    parameters: [JSON.stringify(termProblems().map(({ form }) => form.problemName))],
  },
  ...historyStatements(termPrograms(), Date.now()),
]

/** Rows that name these objects, with the rows that they refer to. */
const NAMING = `insert into test_data_versions (id, problem_id, object_key, size_bytes, case_counts, uploader_id, created_at)
    values ('v1', 1, 'test-data/1/a.zip', 3000000, '[1]', 1, 0), ('v2', 1, 'test-data/1/gone.zip', 1, '[1]', 1, 0);
  insert into problem_files (problem_id, file_id, name, type, size_bytes, created_at) values (1, 'f1', 'a.pdf', 'application/pdf', 11, 0);
  update judgements set outputs_key = 'outputs/o1' where id = (select min(id) from judgements);
  update judgements set outputs_key = 'outputs/expired' where id = (select max(id) from judgements where state = 'done');
  update submissions set judgement_id = null where judgement_id = (select id from judgements where outputs_key = 'outputs/expired');
  insert into runners (id, name, token_hash, state, slots, free, version, created_at, heartbeat_at)
    values ('r1', 'host', 'hash', 'active', 1, 1, '1', 0, 0);
  update judgements set state = 'leased', finished_at = null, lease = 'l', lease_until = 9999999999, runner_id = 'r1',
    phase = 'running', cases_done = 2, plan = '[]' where id = (select max(id) from judgements);
  update problems set deleted_at = 1 where id = (select max(problem_id) from submissions);
  update judgements set outputs_key = 'outputs/deleted' where id = (select min(j.id) from judgements j
    join submissions s on s.judgement_id = j.id where s.problem_id = (select max(problem_id) from submissions));
  insert into packs (object_key, course_id) values ('packs/p1', 1);
  insert into questions (id, course_id, student_id, state, unread, created_at, updated_at) values ('q1', 2, 1, 'open', 0, 0, 0),
    ('q2', 2, 1, 'open', 0, 0, 0);
  insert into date_requests (question_id, due, file_id) values ('q1', 1, 'r1'), ('q2', 1, null);
  insert into judgements (id, user_id, state, priority, rank, queued_at, ticket_at, phase, cases_total)
    values ('a run', 1, 'queued', 1, 0, 0, 0, 'queued', 1);
  insert into sample_runs (id, user_id, problem_id, language_type, sample_count) values ('a run', 1, 1, 0, 1);
  insert into rate_limits (key, full_at_ms, allowed) values ('x', 1, 1);
  insert into users (id, username, username_key, email, made_in_course_id, displayed_name, bio, role, active, created_at)
    values (9001, 'odd', 'odd', 'odd@example.org', 2, 'O''Neil; "quoted" 😀', 'line
break', 2, 1, 0)`

/** Rows of a gradebook: triggers make the columns of the homework and of totals, and note marks that are stale. */
const MARKS = `insert into homeworks (id, course_id, name, markdown, start_at, end_at, close_at, scoreboard_status, created_at, updated_at)
    values ('h1', 2, 'Loops', '', 0, 1, 1, 0, 0, 0);
  insert into gradebook_groups (id, course_id, name, position) values (1, 2, 'Oral', 0);
  insert into gradebook_columns (id, course_id, kind, name, max, position, group_id, shown) values (100, 2, 'manual', 'Exam', 2000, 0, 1, 'yes');
  insert into mark_settings (column_id, user_id, hundredths, reason, setter_id, set_at) values (100, 9001, 1800, 'Good', 1, 5);
  insert into held_marks (column_id, user_id) values (100, 9001);
  delete from stale_marks;
  insert into marks (user_id, column_id, hundredths, changed_at) values (9001, 100, 1800, 5);
  insert into marks (user_id, column_id, hundredths, changed_at, derivation)
    select 9001, id, 950, 6, '{"problems":[]}' from gradebook_columns where homework_id = 'h1';
  insert or replace into stale_marks (column_id, user_id, claim) select id, 9001, 'c' from gradebook_columns where course_id = 2 and kind = 'total';
  insert into questions (id, course_id, student_id, state, unread, created_at, updated_at, column_id, mark_outcome)
    values ('q3', 2, 9001, 'answered', 0, 0, 0, 100, 'kept')`

/** The statements of a text, which a semicolon and a line end divide. */
const statementsIn = (sql: string) => sql.split(/;\n/).map((one) => ({ sql: one }))

let backup: Manifest

async function withLocal<Value>(stateDir: string, use: (it: Installation) => Promise<Value>) {
  const installation = await openLocal(stateDir)
  try {
    return await use(installation)
  } finally {
    await installation.close()
  }
}

async function remote(): Promise<Installation> {
  return openRemote(openCloudflare(TOKEN, standIn.url, standIn.clock), {}, namesOf())
}

/** The parts of two backups that must be equal. */
const contentOf = ({ tables, objects, missing }: Manifest) => ({ tables, objects, missing })

beforeAll(async () => {
  await prepareDatabase(join(term, 'worker'), DEMO_ADMIN)
  backup = await withLocal(term, async (installation) => {
    for (const { sql, parameters } of TERM) await installation.query(sql, parameters)
    await installation.batch(statementsIn(NAMING))
    await installation.batch(statementsIn(MARKS))
    for (const [key, content] of Object.entries(OBJECTS)) {
      const path = join(root, 'content')
      writeFileSync(path, content)
      await installation.bucket.write(key, path)
    }
    return makeBackup(installation, join(root, 'backup'), say, ALL)
  })
})
afterAll(() => rmSync(root, { recursive: true }))

let folders = 0
let folder = ''
beforeEach(() => {
  folders += 1
  folder = join(root, `folder-${folders}`)
})

/** Tables to compare: the restore frees the backup's leased job, and changes nothing else. */
function withoutLease({ judgements, ...tables }: Manifest['tables']) {
  return { ...tables, judgements: judgements?.rows }
}

test('a backup holds every row and object that is not left out by name [PR4]', () => {
  expect(backup.objects.map(({ key, sizeBytes }) => [key, sizeBytes])).toEqual([
    ['files/f1', 11],
    ['outputs/o1', 0],
    ['packs/p1', 6],
    ['requests/r1', 6],
    ['test-data/1/a.zip', 3_000_000],
  ])
  expect(backup.missing).toEqual(['test-data/1/gone.zip'])
  expect(backup.leftOut).toEqual(LEFT_OUT)
  expect(backup.tables['submissions']?.rows).toBeGreaterThan(400)
  expect(Object.keys(backup.tables)).not.toContain('sessions')
  const file = new DatabaseSync(join(root, 'backup', backup.database))
  expect(file.prepare('select id from judgements where submission_id is null').all()).toEqual([])
  file.close()
})

test('restored on Cloudflare, backed up from there, restored on this machine: the same [PR4]', async () => {
  await deploy()
  await restoreBackup(await remote(), join(root, 'backup'), say)
  const there = await makeBackup(await remote(), folder, say, ALL)
  expect(withoutLease(there.tables)).toEqual(withoutLease(backup.tables))
  const kept = new DatabaseSync(join(root, 'backup', backup.database), { readOnly: true })
  const others = 'select * from judgements where id <> (select max(id) from judgements) order by id'
  const before = kept.prepare(others).all()
  kept.close()
  expect(await (await remote()).query(others)).toEqual(before.map((row) => ({ ...row })))
  expect(contentOf(there).objects).toEqual(backup.objects)
  const state = join(root, 'restored')
  const back = await withLocal(state, async (installation) => {
    await restoreBackup(installation, folder, say)
    const [row] = await installation.query(
      'select state, phase, cases_done, lease, lease_until, runner_id, plan, finished_at from judgements order by id desc',
    )
    expect(row).toEqual({
      state: 'queued',
      phase: 'queued',
      cases_done: 0,
      lease: null,
      lease_until: null,
      runner_id: null,
      plan: null,
      finished_at: null,
    })
    return makeBackup(installation, join(root, 'again'), say, ALL)
  })
  expect(contentOf(back)).toEqual(contentOf(there))
})

test('a restored gradebook has its columns once, its marks as they were, and triggers again [PR4]', async () => {
  const queries = [
    'select id, course_id, kind, homework_id, group_id, shown from gradebook_columns order by id',
    'select * from marks order by column_id',
    'select column_id, user_id, hundredths, reason from mark_settings',
    'select * from held_marks',
    'select * from stale_marks',
    'select column_id, mark_outcome from questions where column_id is not null',
  ]
  const triggers = "select name, tbl_name from sqlite_schema where type = 'trigger' order by name"
  const read = ({ query }: Installation) =>
    Promise.all([...queries, triggers].map((sql) => query(sql)))
  const before = await withLocal(term, read)
  expect(before[0]?.filter((row) => row['course_id'] === 2)).toHaveLength(3)
  expect(before.map((rows) => rows.length)).not.toContain(0)
  await withLocal(join(root, 'marks'), async (installation) => {
    await restoreBackup(installation, join(root, 'backup'), say)
    expect(await read(installation)).toEqual(before)
    await installation.query(
      "insert into courses (id, name, name_key, teacher_id, time_zone, created_at) values (3, 'New', 'new', 1, 'UTC', 0)",
    )
    const made = 'select kind from gradebook_columns where course_id = 3'
    expect(await installation.query(made)).toEqual([{ kind: 'total' }])
  })
})

test('a backup notes in the installation when it was made, and one that breaks off does not', async () => {
  await deploy()
  const installation = await remote()
  const notedAt = async () => {
    const rows = await installation.query("select value from vitals where name = 'backed_up_at'")
    return rows.map(({ value }) => value)
  }
  const broken = {
    ...installation,
    bucket: { ...installation.bucket, read: () => Promise.reject(new Error('gone')) },
  }
  await restoreBackup(installation, join(root, 'backup'), say)
  // The time of the backup that was restored.
  const restored = await notedAt()
  expect(restored).toHaveLength(1)
  await expect(makeBackup(broken, folder, say)).rejects.toThrow('gone')
  expect(await notedAt()).toEqual(restored)
  for (const seconds of [1_800_000_000, 1_800_086_400]) {
    await makeBackup(installation, folder, say, { now: new Date(seconds * 1_000) })
    expect(await notedAt()).toEqual([seconds])
  }
})

test('what is restored has an id of its own, in database and bucket', async () => {
  const ids = new Set<string>()
  for (const name of ['first', 'second'])
    await withLocal(join(root, `id-${name}`), async (installation) => {
      await restoreBackup(installation, join(root, 'backup'), say)
      const [row] = await installation.query('select token from installation')
      const object = await installation.bucket.read('installation-id')
      expect(await new Response(object).text()).toBe(row?.['token'])
      ids.add(String(row?.['token']))
    })
  expect(ids.size).toBe(2)
})

test('the id in an old backup takes the place of none, also when it is restored once more', async () => {
  const made = await withLocal(term, (installation) => makeBackup(installation, folder, say))
  const old = objectFile(folder, 'installation-id')
  writeFileSync(old, 'of the old installation')
  const objects = [...made.objects, { key: 'installation-id', ...(await digestOf(old)) }]
  writeManifest(folder, { ...made, objects })
  await withLocal(join(root, 'id-old'), async (installation) => {
    for (let times = 0; times < 2; times += 1) {
      await restoreBackup(installation, folder, say)
      const [row] = await installation.query('select token from installation')
      const object = await installation.bucket.read('installation-id')
      expect(await new Response(object).text()).toBe(row?.['token'])
    }
  })
})

test('a second backup into the folder fetches what is new, and mends what was damaged', async () => {
  await deploy()
  await restoreBackup(await remote(), join(root, 'backup'), say)
  const installation = await remote()
  await makeBackup(installation, folder, say, ALL)
  const first = readManifest(folder)
  writeFileSync(objectFile(folder, 'files/f1'), 'damaged')
  standIn.mend()
  const second = await makeBackup(installation, folder, say, {
    ...ALL,
    now: new Date(Date.now() + 1_000),
  })
  const reads = standIn.calls.filter(
    ({ method, path }) => method === 'GET' && path.includes('/objects/'),
  )
  expect(reads.map(({ path }) => path.split('/objects/')[1])).toEqual([
    'files/f1',
    'test-data/1/gone.zip',
  ])
  expect(contentOf(second)).toEqual(first && contentOf(first))
  expect(() => readFileSync(join(folder, first?.database ?? ''))).toThrow('ENOENT')
})

test('what the Worker writes while a restore goes on is refused, and changes nothing of it [PR4]', async () => {
  await deploy()
  const installation = await remote()
  const writes = [
    "insert into vitals (name, value) values ('swept_at', 1)",
    "update users set bio = 'changed'",
    'delete from audit_entries',
    "insert into database_sizes (day, bytes) values ('2020-01-01', 1)",
  ]
  const answers: string[] = []
  async function disturb() {
    const write = writes[answers.length % writes.length] ?? ''
    answers.push(await installation.query(write).then(String, (error: Error) => error.message))
  }
  const disturbed: Installation = {
    ...installation,
    async query(sql, params) {
      await disturb()
      return installation.query(sql, params)
    },
    async batch(statements) {
      await disturb()
      await installation.batch(statements)
    },
  }
  await restoreBackup(disturbed, join(root, 'backup'), say)
  const refused = answers.filter((text) => text.includes('A backup is being restored'))
  expect(refused.length).toBeGreaterThan(writes.length)
})

test('an installation in use is replaced only by its typed name', async () => {
  await deploy()
  const installation = await remote()
  await restoreBackup(installation, join(root, 'backup'), say)
  await installation.query("update users set displayed_name = 'changed' where id = 9001")
  for (const typed of [undefined, 'coursejudge-staging'])
    await expect(restoreBackup(installation, join(root, 'backup'), say, typed)).rejects.toThrow(
      'coursejudge is in use; nothing was changed.',
    )
  const [kept] = await installation.query('select displayed_name from users where id = 9001')
  expect(kept?.['displayed_name']).toBe('changed')
  standIn.mend()
  await restoreBackup(installation, join(root, 'backup'), say, 'coursejudge')
  const [row] = await installation.query('select displayed_name from users where id = 9001')
  expect(row?.['displayed_name']).toBe(`O'Neil; "quoted" 😀`)
  // The bucket already had all objects.
  const written = standIn.calls.filter(
    ({ method, path }) => method === 'PUT' && path.includes('/objects/'),
  )
  expect(written.map(({ path }) => path.split('/objects/')[1])).toEqual(['installation-id'])
})

const COURSE = (teacher: number | null) =>
  `insert into courses (name, name_key, teacher_id, time_zone, created_at) values ('C', 'c', ${teacher}, 'UTC', 0)`
const PROBLEM = `insert into problems (course_id, name, status, type, owner_id, tags, quota, allowed_language, description, compare, created_at, updated_at)
  values ((select max(id) from courses), 'P', 0, 0, 1, '[]', -1, 7, '{}', '{}', 0, 0)`

test.each([
  ['an account is active', 'update users set active = 1', true],
  ['a course has a teacher', COURSE(1), true],
  ['there is a problem', `${COURSE(null)};\n${PROBLEM}`, true],
  ['nobody would miss anything', COURSE(null), false],
])('an installation in which %s is in use or not', async (_, change, isInUse) => {
  await deploy()
  const installation = await remote()
  await installation.batch(statementsIn(change))
  const restored = restoreBackup(installation, join(root, 'backup'), say)
  if (isInUse) await expect(restored).rejects.toThrow('coursejudge is in use; nothing was changed.')
  else await restored
})

test.each([
  [
    'an object that differs',
    (copy: string) => writeFileSync(objectFile(copy, 'files/f1'), 'x'),
    'differs from the backup',
  ],
  [
    'an object that is not there',
    (copy: string) => rmSync(objectFile(copy, 'outputs/o1')),
    'lacks',
  ],
  [
    'no rows',
    (copy: string) => rmSync(join(copy, readManifest(copy)?.database ?? '')),
    'lacks rows-',
  ],
])('%s in the backup: nothing is changed', async (_, damage, message) => {
  await deploy()
  await withLocal(term, (installation) => makeBackup(installation, folder, say, ALL))
  damage(folder)
  standIn.mend()
  await expect(restoreBackup(await remote(), folder, say)).rejects.toThrow(message)
  expect(
    standIn.calls.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/query')),
  ).toEqual([])
})

function modesIn(path: string): { files: Set<string>; folders: Set<string> } {
  const inside = readdirSync(path, { recursive: true }).map((name) => join(path, String(name)))
  const stats = [path, ...inside].map((each) => lstatSync(each))
  const modes = (wanted: boolean) =>
    new Set(
      stats
        .filter((each) => each.isDirectory() === wanted)
        .map((each) => (each.mode & 0o777).toString(8)),
    )
  return { files: modes(false), folders: modes(true) }
}

test('only its owner can read a backup, also in a folder that others could read', async () => {
  const owned = { files: new Set(['600']), folders: new Set(['700']) }
  expect(modesIn(join(root, 'backup'))).toEqual(owned)
  await deploy()
  await restoreBackup(await remote(), join(root, 'backup'), say)
  mkdirSync(folder)
  await makeBackup(await remote(), folder, say, ALL)
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    const path = join(folder, name)
    chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644)
  }
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'notes.txt'), 'not of the backup', { mode: 0o644 })
  await makeBackup(await remote(), folder, say, { ...ALL, now: new Date(Date.now() + 1_000) })
  expect((lstatSync(join(folder, 'notes.txt')).mode & 0o777).toString(8)).toBe('644')
  rmSync(join(folder, 'notes.txt'))
  expect(modesIn(folder)).toEqual(owned)
})
