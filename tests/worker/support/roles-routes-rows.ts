/** The rows of a fixture, grouped by subject; see `roles-routes-fixture.ts`. */
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { STATUS } from '#contract/verdicts'
import type { Db } from '../../../worker/db/client.ts'
import {
  announcements,
  copycatReports,
  courses,
  courseWebhooks,
  dateRequests,
  homeworkOverrides,
  homeworkProblems,
  homeworks,
  gradebookColumns,
  hints,
  joinCodes,
  joinRequests,
  judgements,
  keptMarks,
  labels,
  lateDayBudgets,
  memberLabels,
  memberships,
  notices,
  noticeSettings,
  operations,
  problemResults,
  problemFiles,
  PRIORITY,
  problems,
  questionMessages,
  questions,
  runners,
  sampleRuns,
  staffPoints,
  submissions,
  submissionSources,
  subtasks,
  testDataVersions,
} from '../../../worker/db/schema.ts'
import { firstPayload } from '../../../worker/features/judging/rejudge/bulk-rejudge.ts'
import { newHexId, newSecret, sha256Hex } from '../../../worker/lib/ids.ts'
import { reportOf } from './judge.ts'
import { FITTING_ENTRIES, type Person } from './world.ts'
import { zipOf } from './zip.ts'

/** Test data of every fixture; one object serves all, because its bytes never change. */
const ZIP_KEY = 'test-data/of-every-fixture.zip'
const OUTPUTS_KEY = 'outputs/of-every-fixture.json'

/** All people of a fixture, in the order of their ids. */
export const ROLES_OF_PEOPLE = {
  outsider: 2,
  student: 2,
  ta: 2,
  teacher: 1,
  other: 1,
  admin: 0,
  spare: 2,
  second: 2,
} as const
export type People = Record<keyof typeof ROLES_OF_PEOPLE, Person>

/** Stores the objects that every fixture names in R2. */
export async function fillBucket(): Promise<void> {
  if (await env.BUCKET.head(ZIP_KEY)) return
  await env.BUCKET.put(ZIP_KEY, await zipOf(FITTING_ENTRIES))
  const stream = { stdout: 'Mw==', stdoutSize: 1, stderr: '', stderrSize: 0 }
  const output = { task: 0, case: 0, ...stream, expected: 'Mw==', expectedSize: 1 }
  await env.BUCKET.put(OUTPUTS_KEY, JSON.stringify([output]))
}

/** Things with ids of their own. `regrade`: a question about the mark of `column`; `request`: for a date, with a file. */
const HEX_IDS = [
  ['homework', 'future', 'ann', 'systemAnn', 'operation', 'copycat', 'runner', 'lostRunner'],
  ['done', 'failed', 'claimed', 'waiting', 'run', 'file', 'version'],
  ['judgement', 'failedJudgement', 'openJudgement', 'leasedJudgement'],
  ['question', 'message', 'request', 'requestMessage', 'regrade'],
] as const
type HexIds = Record<(typeof HEX_IDS)[number][number], string>

/** Ids of everything except people. */
export function newIds(base: number) {
  return {
    ...(Object.fromEntries(HEX_IDS.flat().map((name) => [name, newHexId(Date.now())])) as HexIds),
    problem: base,
    /** A hidden problem in the running homework, and a problem in the future homework only. */
    hidden: base + 1,
    upcoming: base + 2,
    /** A column filled by hand. Triggers give columns the ids behind it. */
    column: base * 1_000,
    label: base,
    budget: base,
    /** Codes of the course and of the other teacher's course. */
    joinCode: base,
    otherJoinCode: base + 1,
    notice: base,
    /** The hint for the mistake of the failed submission; nobody made the other mistake. */
    hint: base,
    mistake: `wrong-q${base}z`.padEnd(16, '-'),
    otherMistake: `other-q${base}z`.padEnd(16, '-'),
  }
}

/** The data from which rows are made. */
export interface Draft {
  db: Db
  base: number
  mark: string
  now: number
  people: People
  ids: ReturnType<typeof newIds>
  runnerToken: string
  lease: string
}

/** Three courses, one of another teacher and one deleted; their members and announcements. */
export function courseRows({ db, base, mark, now, people, ids }: Draft) {
  const { id: teacherId } = people.teacher
  const course = { teacherId, timeZone: 'UTC', createdAt: now }
  const named = (name: string) => ({
    name: `${name} ${mark}`,
    nameKey: `${name} ${mark}`.toLowerCase(),
  })
  const written = { creatorId: teacherId, updaterId: teacherId, createdAt: now, updatedAt: now }
  const ann = { pinned: false, ...written }
  return [
    db.insert(courses).values([
      { ...course, id: base, ...named('Course') },
      { ...course, id: base + 1, ...named('Other'), teacherId: people.other.id },
      { ...course, id: base + 2, ...named('Deleted'), deletedAt: now },
    ]),
    db.insert(memberships).values([
      { courseId: base, userId: people.ta.id, role: 'ta', joinedAt: now },
      { courseId: base, userId: people.student.id, role: 'student', joinedAt: now },
      { courseId: base, userId: people.second.id, role: 'student', joinedAt: now },
      { courseId: base + 2, userId: people.ta.id, role: 'ta', joinedAt: now },
      { courseId: base + 2, userId: people.student.id, role: 'student', joinedAt: now },
    ]),
    db
      .insert(labels)
      .values({ id: ids.label, courseId: base, name: `Label ${mark}`, shown: false }),
    db
      .insert(memberLabels)
      .values({ courseId: base, userId: people.student.id, labelId: ids.label }),
    db.insert(lateDayBudgets).values({
      id: ids.budget,
      courseId: base,
      name: `Budget ${mark}`,
      size: 5,
      mostEach: 2,
      spending: 'asked',
      movesClosing: true,
    }),
    db.insert(announcements).values([
      { ...ann, id: ids.ann, courseId: base, title: `Ann ${mark}`, markdown: `Text ${mark}` },
      { ...ann, id: ids.systemAnn, courseId: 1, title: 'System', markdown: '' },
    ]),
  ] as const
}

/** The code with an id. */
export const codeOf = (id: number) => String(id).padStart(12, 'W')

/** A code of the course and of the other teacher's course, a person who waits, the webhook, a notice and somebody's settings. */
export async function joiningRows({ db, base, mark, now, people, ids }: Draft) {
  const code = { role: 'student' as const, domains: [], approval: false, createdAt: now }
  const codes = [ids.joinCode, ids.otherJoinCode].map(async (id, index) => ({
    ...code,
    id,
    courseId: base + index,
    code: codeOf(id),
    codeHash: await sha256Hex(codeOf(id)),
    creatorId: index === 0 ? people.teacher.id : people.other.id,
  }))
  const waiting = { joinCodeId: ids.joinCode, state: 'waiting', createdAt: now } as const
  return [
    db.insert(joinCodes).values(await Promise.all(codes)),
    db.insert(joinRequests).values({ ...waiting, courseId: base, userId: people.spare.id }),
    // Nobody listens there, so a trial is refused at once.
    db.insert(courseWebhooks).values({
      courseId: base,
      url: `https://127.0.0.1:1/${mark}`,
      secret: `whsec_${mark}`,
      sentId: ids.notice,
      createdAt: now,
    }),
    db.insert(notices).values({
      id: ids.notice,
      kind: 'announcement',
      courseId: base,
      subjectId: ids.ann,
      actorId: people.teacher.id,
      createdAt: now,
    }),
    db.insert(noticeSettings).values({ userId: people.spare.id, unsubscribeKey: `key-${mark}` }),
  ] as const
}

/** An open problem, a hidden one and a future one, with their test data. */
export function problemRows({ db, base, mark, now, people, ids }: Draft) {
  const empty = { input: '', output: '', hint: '', sampleInput: [], sampleOutput: [] }
  const problem: Omit<typeof problems.$inferInsert, 'id' | 'status'> = {
    courseId: base,
    name: `Problem ${mark}`,
    type: 0,
    ownerId: people.teacher.id,
    tags: [`tag${mark}`.slice(0, 16)],
    quota: -1,
    allowedLanguage: 7,
    description: { ...empty, description: `Statement ${mark}` },
    compare: { mode: 'lines' },
    createdAt: now,
    updatedAt: now,
  }
  const limits = { memoryLimitKb: 65_536, timeLimitMs: 1000, outputLimitKb: 65_536 }
  return [
    db.insert(problems).values([
      { ...problem, id: ids.problem, status: 0, rejudgeId: ids.operation },
      { ...problem, id: ids.hidden, status: 1, name: `Hidden ${mark}` },
      { ...problem, id: ids.upcoming, status: 0, name: `Upcoming ${mark}` },
    ]),
    db.insert(subtasks).values([
      { problemId: ids.problem, position: 0, caseCount: 1, score: 0, isSample: true, ...limits },
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
      uploaderId: people.teacher.id,
      createdAt: now,
    }),
    db.insert(problemFiles).values({
      problemId: ids.problem,
      fileId: ids.file,
      name: `File ${mark}`,
      type: 'image/png',
      sizeBytes: 5,
      createdAt: now,
    }),
    db.update(problems).set({ testDataVersion: ids.version }).where(eq(problems.id, ids.problem)),
  ] as const
}

/** A running homework and a future one; in the running one dates for two people and for all, points and a kept mark. */
export function homeworkRows({ db, base, mark, now, people, ids }: Draft) {
  const set = { homeworkId: ids.homework, setterId: people.teacher.id, setAt: now }
  const given = { hundredths: 150, giverId: people.teacher.id, givenAt: now }
  return [
    db.insert(homeworks).values(
      [
        { id: ids.homework, name: `Homework ${mark}`, startAt: now - 100, endAt: now + 10_000 },
        { id: ids.future, name: `Future ${mark}`, startAt: now + 5_000, endAt: now + 10_000 },
      ].map((row) => ({
        ...row,
        courseId: base,
        budgetId: ids.budget,
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
    db.insert(homeworkOverrides).values([
      { ...set, userId: people.student.id, due: now + 20_000, reason: `Reason ${mark}` },
      { ...set, userId: people.second.id, due: now + 30_000, reason: `Other reason ${mark}` },
      { ...set, userId: null, closes: now + 40_000, reason: `For all ${mark}` },
      { ...set, labelId: ids.label, due: now + 15_000, reason: `Label's reason ${mark}` },
    ]),
    db.insert(staffPoints).values({
      ...given,
      homeworkId: ids.homework,
      userId: people.student.id,
      problemId: null,
      comment: `Comment ${mark}`,
    }),
    db.insert(keptMarks).values({
      homeworkId: ids.homework,
      userId: people.student.id,
      problemId: ids.problem,
      value: 10_000,
    }),
  ] as const
}

/** An accepted submission, a failed one, one without code and a waiting one; their results; a sample run. */
export function submissionRows({ db, base, mark, now, people, ids }: Draft) {
  const submission = {
    problemId: ids.problem,
    courseId: base,
    userId: people.student.id,
    languageType: 0,
    quotaUsed: 0,
    ip: '10.9.8.7',
    createdAt: now,
  } as const
  const accepted = { ...submission, acceptedAt: now }
  const code = Buffer.from(`// ${mark}`)
  const done = { status: 0, score: 100, runTimeMs: 3, memoryKb: 900 } as const
  return [
    db.insert(submissions).values([
      { ...accepted, ...done, id: ids.done, judgementId: ids.judgement },
      { ...accepted, id: ids.failed, status: 1, score: 0, judgementId: ids.failedJudgement },
      { ...submission, id: ids.claimed, status: -2 },
      { ...accepted, id: ids.waiting, status: -1, judgementId: ids.openJudgement },
    ]),
    db
      .insert(submissionSources)
      .values([ids.done, ids.failed, ids.waiting].map((submissionId) => ({ submissionId, code }))),
    db.insert(judgements).values({
      id: ids.run,
      userId: people.student.id,
      state: 'done',
      priority: PRIORITY.run,
      rank: 0,
      queuedAt: now,
      ticketAt: now,
      phase: 'queued',
      casesTotal: 1,
      finishedAt: now,
    }),
    db.insert(sampleRuns).values({
      userId: people.student.id,
      id: ids.run,
      sampleCount: 0,
      problemId: ids.problem,
      languageType: 0,
      code,
      inputs: [{ input: mark, expected: null }],
    }),
    db.insert(problemResults).values({
      problemId: ids.problem,
      userId: people.student.id,
      tries: 3,
      scored: 2,
      scoreSum: 100,
      bestScore: 100,
      worstScore: 0,
      statusCounts: [1, 1, 0, 0, 0, 0, 0, 0],
      fastestId: ids.done,
      leanestId: ids.done,
      failedId: ids.failed,
      mistake: ids.mistake,
    }),
  ] as const
}

/** Two judge hosts; the judgements: accepted, failed, open and leased; the hint for the failed one. */
export async function judgingRows({ db, mark, now, people, ids, runnerToken, lease }: Draft) {
  const queued = { priority: 0, rank: 0, queuedAt: now, ticketAt: now } as const
  const judgement = { ...queued, submissionId: ids.done, phase: 'queued', casesTotal: 3 } as const
  const over = { state: 'done', finishedAt: now, testDataVersion: ids.version } as const
  const times = { createdAt: now, heartbeatAt: now }
  const runner = { state: 'active', slots: 2, free: 2, version: '0.0.0', ...times } as const
  return [
    db.insert(runners).values([
      { ...runner, id: ids.runner, name: 'runner', tokenHash: await sha256Hex(runnerToken) },
      { ...runner, id: ids.lostRunner, name: 'lost', tokenHash: await sha256Hex(newSecret()) },
    ]),
    db.insert(judgements).values([
      {
        ...judgement,
        ...over,
        id: ids.judgement,
        status: 0,
        score: 100,
        outputsKey: OUTPUTS_KEY,
        subtasks: [],
        compileMessage: `Message ${mark}`,
      },
      {
        ...judgement,
        ...over,
        id: ids.failedJudgement,
        submissionId: ids.failed,
        status: STATUS.WA,
        subtasks: reportOf(lease, STATUS.WA).tasks,
        mistake: ids.mistake,
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
    db.insert(hints).values({
      id: ids.hint,
      problemId: ids.problem,
      mistake: ids.mistake,
      markdown: `Hint ${mark}`,
      authorId: people.ta.id,
      updatedAt: now,
    }),
  ] as const
}

/** A question about a line of a submission, answered by the TA; a request for a date. */
export function questionRows({ db, base, mark, now, people, ids }: Draft) {
  const asked = {
    courseId: base,
    studentId: people.student.id,
    unread: true,
    createdAt: now,
    updatedAt: now,
  }
  const oral = { courseId: base, kind: 'manual', name: mark, max: 100, shown: 'yes' } as const
  return [
    db.insert(gradebookColumns).values({ id: ids.column, ...oral }),
    db.insert(questions).values([
      {
        ...asked,
        id: ids.question,
        problemId: ids.problem,
        submissionId: ids.done,
        line: 1,
        state: 'answered',
      },
      { ...asked, id: ids.request, homeworkId: ids.homework, state: 'open' },
      { ...asked, id: ids.regrade, columnId: ids.column, state: 'open' },
    ]),
    db.insert(dateRequests).values({
      questionId: ids.request,
      due: now + 50_000,
      fileId: ids.file,
      fileName: `Note ${mark}`,
      fileType: 'image/png',
      fileBytes: 5,
    }),
    db.insert(questionMessages).values(
      (
        [
          [newHexId((now - 1) * 1000), ids.question, people.student, `Why ${mark}?`],
          [ids.message, ids.question, people.ta, `Because ${mark}.`],
          [ids.requestMessage, ids.request, people.student, `Ill ${mark}`],
        ] as const
      ).map(([id, questionId, { id: authorId }, markdown]) => ({
        id,
        questionId,
        authorId,
        markdown,
        idempotencyKey: id,
        createdAt: now,
      })),
    ),
  ] as const
}

/** Operations of each kind, and a copy report. */
export function operationRows({ db, base, now, people, ids }: Draft) {
  return [
    db.insert(operations).values(
      [
        {
          id: ids.operation,
          kind: 'rejudge' as const,
          state: 'running' as const,
          payload: {
            ...firstPayload({ courseId: base, problemIds: [ids.problem], apply: false }),
            phase: 'ready',
          },
        },
        { id: ids.copycat, kind: 'copycat' as const, state: 'running' as const },
      ].map((row) => ({
        payload: {},
        ...row,
        total: 1,
        ownerId: people.teacher.id,
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
  ] as const
}
