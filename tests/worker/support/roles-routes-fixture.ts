/**
 * One course with everything that a call can be about, made by SQL in one batch, so that every call of the
 * roles × routes table can have a fresh one. All its texts hold `mark`, by which a leak is found.
 */
import { env } from 'cloudflare:workers'
import { eq, sql } from 'drizzle-orm'
import type { LinkPurpose } from '../../../worker/db/account-links.ts'
import { openDb, type Db } from '../../../worker/db/client.ts'
import {
  accountLinks,
  announcements,
  apiTokens,
  copycatReports,
  courses,
  homeworkProblems,
  homeworks,
  installation,
  operations,
  judgements,
  memberships,
  problemResults,
  problems,
  runners,
  sessions,
  submissions,
  submissionSources,
  subtasks,
  testDataVersions,
  users,
} from '../../../worker/db/schema.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newHexId, newSecret, sha256Hex } from '../../../worker/lib/ids.ts'
import { FITTING_ENTRIES, type Person } from './world.ts'
import { zipOf } from './zip.ts'

/** Hash of `demo-password`. */
const PASSWORD_HASH =
  '$scrypt$ln=14,r=8,p=5$AAAAAAAAAAAAAAAAAAAAAA$mnB3IBDia2fgdmf3cEL3ZfW+2o33zXLay2/Uw90dFX0'

/** Test data of every fixture; their bytes never change, so one object serves all. */
const ZIP_KEY = 'test-data/of-every-fixture.zip'
const OUTPUTS_KEY = 'outputs/of-every-fixture.json'

let counter = 0

/** Everybody and everything. Lists of numbers and ids are what the paths of the calls name. */
export type Fixture = Awaited<ReturnType<typeof createFixture>>

/** What R2 holds for every fixture. */
async function fillBucket(): Promise<void> {
  if (await env.BUCKET.head(ZIP_KEY)) return
  await env.BUCKET.put(ZIP_KEY, await zipOf(FITTING_ENTRIES))
  const stream = { stdout: 'Mw==', stdoutSize: 1, stderr: '', stderrSize: 0 }
  const output = { task: 0, case: 0, ...stream, expected: 'Mw==', expectedSize: 1 }
  await env.BUCKET.put(OUTPUTS_KEY, JSON.stringify([output]))
}

/** The statements that make a person with a session. */
async function personRows(db: Db, id: number, name: string, role: 0 | 1 | 2) {
  const now = nowSeconds()
  const token = newSecret()
  const tokenHash = await sha256Hex(token)
  const person: Person = { id, username: name, cookie: `__Host-session=${token}` }
  const rows = [
    db.insert(users).values({
      id,
      username: name,
      usernameKey: name.toLowerCase(),
      email: `${name}@${name}.test`,
      displayedName: `Display ${name}`,
      bio: `Bio ${name}`,
      emailConfirmedAt: now,
      role,
      passwordHash: PASSWORD_HASH,
      active: true,
      createdAt: now,
    }),
    db.insert(sessions).values({
      tokenHash,
      userId: id,
      createdAt: now,
      lastSeenAt: now,
      confirmedAt: now,
      ip: '127.0.0.1',
      agent: 'tests',
    }),
  ] as const
  return { person, sessionId: tokenHash.slice(0, 24), rows }
}

/** A mailed link of somebody; gives the token. */
async function linkRow(db: Db, userId: number, purpose: LinkPurpose) {
  const token = newSecret()
  const row = {
    userId,
    purpose,
    tokenHash: await sha256Hex(token),
    newEmail: purpose === 'move' ? `moved-${userId}@example.test` : null,
    expiresAt: nowSeconds() + 600,
  }
  const target = [accountLinks.userId, accountLinks.purpose]
  const statement = db.insert(accountLinks).values(row).onConflictDoUpdate({ target, set: row })
  return { token, statement }
}

/** A link that moves somebody's account to another address; gives the token. */
export async function moveLinkOf({ id }: Person): Promise<string> {
  const { token, statement } = await linkRow(openDb(env.DB), id, 'move')
  await statement
  return token
}

/** A fresh fixture. */
export async function createFixture() {
  await fillBucket()
  counter += 1
  const base = 1_000 + counter * 20
  const mark = `q${base}z`
  const db = openDb(env.DB)
  const now = nowSeconds()
  const id = () => newHexId(Date.now())
  const made = await Promise.all(
    (
      [
        ['outsider', 2],
        ['student', 2],
        ['ta', 2],
        ['teacher', 1],
        ['other', 1],
        ['admin', 0],
        ['spare', 2],
        ['second', 2],
      ] as const
    ).map(([name, role], index) => personRows(db, base + index, `${name}-${mark}`, role)),
  )
  const [outsider, student, ta, teacher, other, admin, spare, second] = made
  if (!outsider || !student || !ta || !teacher || !other || !admin || !spare || !second)
    throw new Error('somebody is missing')
  const [reset, activate, confirm] = [
    await linkRow(db, spare.person.id, 'reset'),
    await linkRow(db, second.person.id, 'activate'),
    await linkRow(db, second.person.id, 'confirm'),
  ]
  const course = `Course ${mark}`
  const deletedCourse = `Deleted ${mark}`
  const ids = {
    problem: base,
    /** A hidden problem, in the running homework; one that only the future homework holds. */
    hidden: base + 1,
    upcoming: base + 2,
    homework: id(),
    future: id(),
    ann: id(),
    systemAnn: id(),
    done: id(),
    claimed: id(),
    waiting: id(),
    judgement: id(),
    openJudgement: id(),
    leasedJudgement: id(),
    version: id(),
    operation: id(),
    signup: id(),
    copycat: id(),
    runner: id(),
    lostRunner: id(),
    tokens: new Map(made.map(({ person }) => [person.id, id()])),
    sessions: new Map(made.map(({ person, sessionId }) => [person.id, sessionId])),
  }
  const runnerToken = newSecret()
  const lease = newSecret()
  const statement = {
    description: `Statement ${mark}`,
    input: '',
    output: '',
    hint: '',
    sampleInput: [],
    sampleOutput: [],
  }
  const problem: Omit<typeof problems.$inferInsert, 'id' | 'status'> = {
    courseId: base,
    name: `Problem ${mark}`,
    type: 0,
    ownerId: teacher.person.id,
    tags: [`tag${mark}`.slice(0, 16)],
    quota: -1,
    allowedLanguage: 7,
    description: statement,
    compare: { mode: 'lines' },
    createdAt: now,
    updatedAt: now,
  }
  const submission = {
    problemId: ids.problem,
    courseId: base,
    userId: student.person.id,
    languageType: 0,
    quotaUsed: 0,
    ip: '10.9.8.7',
    createdAt: now,
  } as const
  const judgement = {
    submissionId: ids.done,
    priority: 0,
    rank: 0,
    queuedAt: now,
    ticketAt: now,
    phase: 'queued',
    casesTotal: 3,
  } as const
  const limits = { memoryLimitKb: 65_536, timeLimitMs: 1000, outputLimitKb: 65_536 }
  const written = { creatorId: teacher.person.id, updaterId: teacher.person.id }
  const runner = { slots: 2, free: 2, version: '0.0.0', createdAt: now, heartbeatAt: now }
  const textOf = (name: string) => ({ title: `${name} ${mark}`, markdown: `Text ${mark}` })
  await db.batch([
    db
      .insert(installation)
      .values({ id: 1, state: 'mismatch' })
      .onConflictDoUpdate({ target: installation.id, set: { state: 'mismatch' } }),
    db
      .select({ one: sql`1` })
      .from(users)
      .limit(1),
    ...made.flatMap(({ rows }) => rows),
    reset.statement,
    activate.statement,
    confirm.statement,
    db.insert(courses).values([
      {
        id: base,
        name: course,
        teacherId: teacher.person.id,
        timeZone: 'UTC',
        createdAt: now,
      },
      {
        id: base + 1,
        name: `Other ${mark}`,
        teacherId: other.person.id,
        timeZone: 'UTC',
        createdAt: now,
      },
      {
        id: base + 2,
        name: deletedCourse,
        teacherId: teacher.person.id,
        timeZone: 'UTC',
        createdAt: now,
        deletedAt: now,
      },
    ]),
    db.insert(memberships).values([
      { courseId: base, userId: ta.person.id, role: 'ta', joinedAt: now },
      { courseId: base, userId: student.person.id, role: 'student', joinedAt: now },
      { courseId: base, userId: second.person.id, role: 'student', joinedAt: now },
      { courseId: base + 2, userId: ta.person.id, role: 'ta', joinedAt: now },
      { courseId: base + 2, userId: student.person.id, role: 'student', joinedAt: now },
    ]),
    db.insert(announcements).values([
      {
        id: ids.ann,
        courseId: base,
        ...textOf('Ann'),
        pinned: false,
        ...written,
        createdAt: now,
        updatedAt: now,
      },
      {
        id: ids.systemAnn,
        courseId: 1,
        title: 'System',
        markdown: '',
        pinned: false,
        ...written,
        createdAt: now,
        updatedAt: now,
      },
    ]),
    db.insert(problems).values([
      { ...problem, id: ids.problem, status: 0 },
      { ...problem, id: ids.hidden, status: 1, name: `Hidden ${mark}` },
      { ...problem, id: ids.upcoming, status: 0, name: `Upcoming ${mark}` },
    ]),
    db.insert(subtasks).values([
      { problemId: ids.problem, position: 0, caseCount: 1, score: 0, ...limits },
      { problemId: ids.problem, position: 1, caseCount: 2, score: 100, ...limits },
      { problemId: ids.hidden, position: 0, caseCount: 1, score: 100, ...limits },
      { problemId: ids.upcoming, position: 0, caseCount: 1, score: 100, ...limits },
    ]),
    db.insert(testDataVersions).values({
      id: ids.version,
      problemId: ids.problem,
      objectKey: ZIP_KEY,
      sizeBytes: 1_000,
      sha256: '0'.repeat(64),
      caseCounts: [1, 2],
      uploaderId: teacher.person.id,
      createdAt: now,
    }),
    db.update(problems).set({ testDataVersion: ids.version }).where(eq(problems.id, ids.problem)),
    db.insert(homeworks).values(
      [
        { id: ids.homework, name: `Homework ${mark}`, startAt: now - 100, endAt: now + 10_000 },
        { id: ids.future, name: `Future ${mark}`, startAt: now + 5_000, endAt: now + 10_000 },
      ].map((row) => ({
        ...row,
        courseId: base,
        markdown: `Task ${mark}`,
        scoreboardStatus: 0 as const,
        createdAt: now,
        updatedAt: now,
      })),
    ),
    db.insert(homeworkProblems).values([
      { homeworkId: ids.homework, problemId: ids.problem, position: 0 },
      { homeworkId: ids.homework, problemId: ids.hidden, position: 1 },
      { homeworkId: ids.future, problemId: ids.upcoming, position: 0 },
    ]),
    db.insert(submissions).values([
      {
        ...submission,
        id: ids.done,
        status: 0,
        score: 100,
        runTimeMs: 3,
        memoryKb: 900,
        judgementId: ids.judgement,
        acceptedAt: now,
      },
      { ...submission, id: ids.claimed, status: -2 },
      {
        ...submission,
        id: ids.waiting,
        status: -1,
        judgementId: ids.openJudgement,
        acceptedAt: now,
      },
    ]),
    db.insert(submissionSources).values([
      { submissionId: ids.done, code: Buffer.from(`// ${mark}`) },
      { submissionId: ids.waiting, code: Buffer.from(`// ${mark}`) },
    ]),
    db.insert(runners).values([
      {
        id: ids.runner,
        name: 'runner',
        tokenHash: await sha256Hex(runnerToken),
        state: 'active',
        ...runner,
      },
      {
        id: ids.lostRunner,
        name: 'lost',
        tokenHash: await sha256Hex(newSecret()),
        state: 'active',
        ...runner,
      },
    ]),
    db.insert(judgements).values([
      {
        ...judgement,
        id: ids.judgement,
        state: 'done',
        status: 0,
        score: 100,
        finishedAt: now,
        outputsKey: OUTPUTS_KEY,
        testDataVersion: ids.version,
        subtasks: [],
        compileMessage: `Message ${mark}`,
      },
      { ...judgement, id: ids.openJudgement, submissionId: ids.waiting, state: 'queued' },
      {
        ...judgement,
        id: ids.leasedJudgement,
        submissionId: ids.waiting,
        state: 'leased',
        attempt: 1,
        lease,
        leaseUntil: now + 60,
        claimedAt: now,
        runnerId: ids.runner,
        testDataVersion: ids.version,
      },
    ]),
    db.insert(problemResults).values({
      problemId: ids.problem,
      userId: student.person.id,
      tries: 2,
      scored: 1,
      scoreSum: 100,
      bestScore: 100,
      worstScore: 100,
      statusCounts: [1, 0, 0, 0, 0, 0, 0, 0],
      fastestId: ids.done,
      leanestId: ids.done,
    }),
    db.insert(operations).values(
      [
        { id: ids.operation, kind: 'rejudge' as const, state: 'running' as const },
        { id: ids.signup, kind: 'batch_signup' as const, state: 'done' as const, finishedAt: now },
        { id: ids.copycat, kind: 'copycat' as const, state: 'running' as const },
      ].map((row) => ({
        ...row,
        total: 1,
        ownerId: teacher.person.id,
        payload: {},
        result: { rows: [] },
        sentAt: now,
        createdAt: now,
      })),
    ),
    db.insert(copycatReports).values({
      problemId: ids.problem,
      operationId: ids.copycat,
      report: {
        submissionIds: [ids.done, ids.waiting],
        comparedCount: 1,
        pairCount: 1,
        histogram: [1],
        pairs: [[0, 1, 1, 4, 4]],
      },
      common: {},
      createdAt: now,
    }),
    ...made.map(({ person }) =>
      db.insert(apiTokens).values({
        id: ids.tokens.get(person.id) ?? '',
        userId: person.id,
        name: 'script',
        tokenHash: newSecret(),
        scopes: ['read'],
        createdAt: now,
        expiresAt: now + 1_000,
      }),
    ),
  ])
  const people = {
    outsider: outsider.person,
    student: student.person,
    ta: ta.person,
    teacher: teacher.person,
    other: other.person,
    admin: admin.person,
    spare: spare.person,
    second: second.person,
  }
  return {
    mark,
    course,
    deletedCourse,
    otherCourse: `Other ${mark}`,
    ids,
    people,
    runnerToken,
    lease,
    links: { reset: reset.token, activate: activate.token, confirm: confirm.token },
  }
}
