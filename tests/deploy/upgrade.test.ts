/** An upgrade: migrations first, and until the new code is there the old Worker works on the new schema. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { judgeOutcome, judgeSubtask, STATUS } from '#contract/verdicts'
import { migrate } from '../../scripts/deploy/database.ts'
import { BEFORE_THE_RULE, MIGRATIONS, MIGRATIONS_FOLDER } from './migrations.ts'
import { hasCommit, REGISTRATION_TOKEN, startOldWorker, type OldWorker } from './old-worker.ts'
import { useCloudflare } from './try.ts'

/** The last commit before migration 0013: the first release that an upgrade does not interrupt. */
const FIRST_RELEASE = '33be1b28f7b335ed33fdb1a4fd2fa07820e8c245'

/** Of `demo-password`. */
const PASSWORD_HASH =
  '$scrypt$ln=14,r=8,p=5$AAAAAAAAAAAAAAAAAAAAAA$mnB3IBDia2fgdmf3cEL3ZfW+2o33zXLay2/Uw90dFX0'

const { standIn, deploy } = await useCloudflare()
const isHere = hasCommit(FIRST_RELEASE)
let old: OldWorker
beforeAll(async () => {
  if (isHere) old = await startOldWorker(FIRST_RELEASE)
})
afterAll(async () => {
  if (isHere) await old.close()
})

test('a deploy migrates a database with data before it uploads the code', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  for (const name of MIGRATIONS.filter((file) => file <= BEFORE_THE_RULE))
    cpSync(join(MIGRATIONS_FOLDER, name), join(folder, name))
  await deploy({ tools: { migrations: folder } })
  const [database] = standIn.account.databases.values()
  database?.sqlite.exec("UPDATE users SET bio = 'kept'")
  await deploy()
  rmSync(folder, { recursive: true })
  expect(database?.sqlite.prepare('SELECT bio FROM users').get()).toEqual({ bio: 'kept' })
  const bodies = standIn.calls.map(({ body }) => JSON.stringify(body ?? ''))
  const notes = bodies.flatMap((text, at) =>
    text.includes('INSERT INTO d1_migrations') ? [at] : [],
  )
  expect(notes).toHaveLength(MIGRATIONS.filter((file) => file > BEFORE_THE_RULE).length)
  const code = standIn.calls.findIndex(({ path }) => path === '/workers/scripts/coursejudge')
  expect(Math.max(...notes)).toBeLessThan(code)
})

async function signIn(username: string): Promise<string> {
  const json = { username, password: 'demo-password' }
  const { status, cookie } = await old.call('POST', '/auth/session', { json })
  expect(status).toBe(200)
  return cookie
}

/** Makes a problem of one case. */
async function makeProblem(cookie: string): Promise<number> {
  const course = { course: 'Algorithms', teacher: 'teacher' }
  expect(await old.call('POST', '/course', { cookie, json: course })).toMatchObject({ status: 200 })
  const json = {
    course: 'Algorithms',
    problemName: 'A plus B',
    status: 0,
    description: { description: 'Add.', sampleInput: ['1 2'], sampleOutput: ['3'] },
    testCase: [{ caseCount: 1, taskScore: 100, memoryLimit: 65_536, timeLimit: 1000 }],
  }
  const made = await old.call('POST', '/problem/manage', { cookie, json })
  expect(made.status).toBe(200)
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  await zip.add('0000.in', new TextReader('1 2\n'))
  await zip.add('0000.out', new TextReader('3\n'))
  const form = new FormData()
  form.set('case', new File([new Uint8Array(await zip.close())], 'data.zip'))
  const path = `/problem/manage/${made.data.problemId}`
  expect(await old.call('PUT', path, { cookie, form })).toMatchObject({ status: 200 })
  return Number(made.data.problemId)
}

async function registerHost(): Promise<string> {
  const host = { hostname: 'h', kernel: 'k', cpu: 'c', cores: 2, memoryKb: 1, cgroup: 'v2' }
  const json = { name: 'host', slots: 2, version: '0.0.0', host }
  const made = await old.call('POST', '/runner/register', { token: REGISTRATION_TOKEN, json })
  expect(made.status).toBe(200)
  return made.data.token
}

/** Signs in, hands in, judges and looks at the verdict. */
async function judgeOne(problemId: number, host: string): Promise<string> {
  const cookie = await signIn('teacher')
  const json = { problemId, languageType: 0, code: 'int main(){}' }
  const handedIn = await old.call('POST', '/submission', { cookie, json })
  expect(handedIn.status).toBe(200)
  const job = await old.call('POST', '/runner/jobs/claim', { token: host })
  expect(job.status).toBe(200)
  const run = { status: STATUS.AC, runTime: 3, memoryUsage: 900 }
  const outcome = judgeOutcome([judgeSubtask([run], 100)])
  const result = {
    lease: job.data.lease,
    ...outcome,
    compileMessage: null,
    reason: null,
    outputs: [],
  }
  const path = `/runner/jobs/${job.data.judgementId}/result`
  expect(await old.call('PUT', path, { token: host, json: result })).toMatchObject({ status: 200 })
  const { submissionId } = handedIn.data
  const seen = await old.call('GET', `/submission/${submissionId}`, { cookie })
  expect(seen).toMatchObject({ status: 200, data: { status: STATUS.AC, score: 100 } })
  return submissionId
}

test('the old Worker signs in, takes code, claims and stores results on the new schema', async ({
  skip,
}) => {
  skip(!isHere, `this clone lacks ${FIRST_RELEASE}: git fetch --unshallow`)
  await migrate(old.query, old.migrations)
  await old.query(`INSERT INTO users (username, username_key, email, email_confirmed_at, displayed_name, role, password_hash, active, created_at)
    VALUES ('teacher', 'teacher', 'teacher@example.org', 1, 'Teacher', 1, '${PASSWORD_HASH}', 1, 1)`)
  const problemId = await makeProblem(await signIn('teacher'))
  const host = await registerHost()
  const before = await judgeOne(problemId, host)
  const own = readdirSync(old.migrations)
  const later = MIGRATIONS.filter((name) => !own.includes(name))
  expect(later.length).toBeGreaterThan(0)
  expect(await migrate(old.query, MIGRATIONS_FOLDER)).toEqual(later)
  await judgeOne(problemId, host)
  const cookie = await signIn('teacher')
  expect(await old.call('GET', `/submission/${before}`, { cookie })).toMatchObject({ status: 200 })
})
