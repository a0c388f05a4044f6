/** Which changes of marks students are told. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { columnsOf, createBook, createFormBook, formOf, manual } from '../support/gradebook.ts'
import type { ProblemDerivation } from '#contract/mark-derivation'
import { openDb } from '../../../worker/db/client.ts'
import type { StoredDerivation } from '../../../worker/db/schema.ts'
import { isTold, tellOfMarks, type StoredMark } from '../../../worker/features/gradebook/told.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { courseIdOf, kindsOf, mailTimes } from '../support/notices.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import { refreshAll, showMarks } from '../support/stored-marks.ts'
import { addStudents, type Person } from '../support/world.ts'

const [FIRST, SECOND] = ['a', 'b'].map((digit) => digit.repeat(24))

function problem(changes: Partial<ProblemDerivation> = {}): ProblemDerivation {
  return {
    problemId: 1,
    points: 10_000,
    submissionId: FIRST ?? null,
    nth: 1,
    at: 1,
    score: 50,
    lateSeconds: 0,
    left: 100,
    how: 'multiply',
    computed: 5_000,
    isKept: false,
    isGiven: false,
    hundredths: 5_000,
    ...changes,
  }
}

/** A mark of problems: their sum, unless another is given. What counts is their newest submission, unless `settled` says otherwise. */
function mark(
  problems: ProblemDerivation[],
  changes: Partial<StoredDerivation> = {},
  stored: Partial<StoredMark> = {},
): StoredMark {
  const sum = problems.reduce((all, each) => all + (each.hundredths ?? 0), 0)
  const none = { added: null, lateDays: 0, excusedBy: null, isSet: false }
  const settled = Object.fromEntries(
    problems.flatMap(({ problemId, submissionId }) =>
      submissionId === null ? [] : [[problemId, submissionId]],
    ),
  )
  const derivation = { problems, ...none, settled, ...changes }
  return { hundredths: sum + (derivation.added ?? 0), isExcused: false, derivation, ...stored }
}

const UNTRIED = { submissionId: null, computed: null, hundredths: null }
const BETTER = { submissionId: SECOND, hundredths: 8_000 }
const EXCUSED = { hundredths: null, isExcused: true }

test('a change is told unless it rests on own newer work alone', () => {
  const before = mark([problem(), problem({ problemId: 2, ...UNTRIED })])
  const second = problem({ problemId: 2, ...UNTRIED })
  const untold: [StoredMark | null, StoredMark | null][] = [
    [before, before],
    [before, mark([problem({ ...BETTER, hundredths: 5_000 }), second])],
    [before, mark([problem(BETTER), second])],
    [before, mark([problem(), problem({ problemId: 2, submissionId: SECOND })])],
    // Nothing was judged there before.
    [mark([problem()]), mark([problem(), problem({ problemId: 2 })])],
    // It had to wait longer than a later one.
    [
      mark([problem({ submissionId: SECOND })], { settled: {} }),
      mark([problem({ hundredths: 6_000 })]),
    ],
    [null, mark([problem(), second])],
    [null, mark([problem(UNTRIED)], {}, { hundredths: null })],
    [mark([problem()], { added: 100 }), mark([problem(BETTER)], { added: 100 })],
  ]
  for (const [old, now] of untold) expect(isTold(old, now), JSON.stringify(now)).toBe(false)
  const told: [StoredMark | null, StoredMark | null][] = [
    // Judged again; another rule; the problem is worth less.
    [before, mark([problem({ hundredths: 4_000 }), second])],
    // An older submission counts, or none.
    [mark([problem(BETTER)]), mark([problem()])],
    [before, mark([problem(UNTRIED), second])],
    // A later one counts, which had been scored before.
    [mark([problem()], { settled: { 1: SECOND ?? '' } }), mark([problem(BETTER)])],
    // One problem by own work, the other not.
    [
      mark([problem(), problem({ problemId: 2 })]),
      mark([problem(BETTER), problem({ problemId: 2, hundredths: 1 })]),
    ],
    // A problem was hidden.
    [before, mark([second])],
    // Staff gave points for a problem or the homework, although there is newer work.
    [before, mark([problem({ ...BETTER, isGiven: true }), second])],
    [before, mark([problem(BETTER), second], { added: 100 })],
    [null, mark([problem({ isGiven: true, submissionId: null })])],
    // Set, taken back, set anew, excused.
    [before, mark([problem()], { isSet: true }, { hundredths: 9_000 })],
    [mark([problem()], { isSet: true }, { hundredths: 9_000 }), before],
    [
      mark([], { isSet: true }, { hundredths: 100 }),
      mark([], { isSet: true }, { hundredths: 200 }),
    ],
    [null, mark([], { isSet: true }, { hundredths: 100 })],
    [mark([], { isSet: true }, { hundredths: 100 }), null],
    [before, mark([problem(BETTER)], { excusedBy: 'dates' }, EXCUSED)],
    [mark([problem()], { excusedBy: 'staff' }, EXCUSED), before],
    [null, mark([], { excusedBy: 'staff' }, EXCUSED)],
  ]
  for (const [old, now] of told) expect(isTold(old, now), JSON.stringify([old, now])).toBe(true)
  // A problem was added that had been solved before; the first mark is the student's all the same.
  expect(isTold(mark([second]), before, true)).toBe(true)
  expect(isTold(null, before, true)).toBe(false)
})

test('those who see their mark are told once, if the mark is what was computed', async () => {
  const world = await createBook()
  const { student, manual, courseId } = world
  const [held, moved, spared] = await addStudents(world, 3)
  if (!held || !moved || !spared) throw new Error('nobody')
  await world.hold(manual, [held])
  await refreshAll(courseId)
  const people = [student, held, moved]
  const db = openDb(env.DB)
  const tell = async () => {
    await runSql`delete from stale_marks where column_id = ${manual}`
    for (const { id } of [...people, spared])
      await runSql`insert into stale_marks (column_id, user_id, claim) values (${manual}, ${id}, ${id === moved.id ? null : 'mine'})`
    const claimed = { userIds: people.map(({ id }) => id), claim: 'mine' }
    const column = { courseId, timeZone: 'Asia/Taipei', columnId: manual, ...claimed }
    await db.batch(tellOfMarks(db, column, nowSeconds()))
  }
  const count = ({ id }: Person) =>
    firstValue`select count(*) from notices where kind = 'mark_changed' and user_id = ${id}`
  const counts = () => Promise.all([...people, spared].map(count))
  await tell()
  expect(await counts()).toEqual([0, 0, 0, 0])
  await world.show(manual, 'yes')
  await runSql`delete from notice_mails`
  await tell()
  expect(await counts()).toEqual([1, 0, 0, 0])
  expect(await kindsOf(student)).toContain('mark_changed')
  const [at = Infinity] = await mailTimes(student)
  expect(at).toBeLessThanOrEqual(nowSeconds())
  // It waits still.
  await tell()
  expect(await counts()).toEqual([1, 0, 0, 0])
  const subjects =
    await allRows`select subject_id from notices where kind = 'mark_changed' and user_id = ${student.id}`
  expect(subjects).toEqual([{ subject_id: String(manual) }])
  await student.put('/notices/seen', { noticeId: Number.MAX_SAFE_INTEGER })
  await tell()
  expect(await counts()).toEqual([2, 0, 0, 0])
  await world.show(manual, 'no')
  expect(await kindsOf(student)).not.toContain('mark_changed')
})

test('of another total, those are told whose marks are all shown', async () => {
  const group = (name: string, changes: object = {}) => {
    const rule = { weight: 50, dropLowest: 0, capPercent: 100, extra: false }
    return { id: null, name, ...rule, ...changes }
  }
  const world = await createFormBook(
    [
      manual('Exam 1', 10, { group: 0 }),
      manual('Exam 2', 10, { group: 0 }),
      manual('Quiz 1', 10, { group: 1 }),
      manual('Quiz 2', 10, { group: 1 }),
    ],
    { groups: [group('Exam'), group('Quizzes')] },
  )
  const { course, teacher, path, ids } = world
  const [exam1 = 0, exam2 = 0, quiz1 = 0, quiz2 = 0, total = 0] = ids
  const [ann, bob] = await addStudents(world, 2)
  if (!ann || !bob) throw new Error('nobody')
  for (const id of [quiz1, quiz2, total]) await showMarks(id, 'yes')
  const edits = [
    { username: ann.username, columnId: exam1, points: 10 },
    { username: ann.username, columnId: exam2, points: 0 },
    { username: bob.username, columnId: quiz1, points: 10 },
    { username: bob.username, columnId: quiz2, points: 0 },
  ]
  expect((await teacher.patch(path, { edits })).status).toBe(200)
  const courseId = await courseIdOf(course)
  await refreshAll(courseId)
  await runSql`delete from notices`
  const { groups } = await columnsOf(teacher, course)
  const dropping = formOf(
    [exam1, exam2, quiz1, quiz2].map((id, index) => ({
      id,
      group: Math.floor(index / 2),
      weight: null,
    })),
    {
      groups: groups.map(({ id, name }: { id: number; name: string }) =>
        group(name, { id, dropLowest: 1 }),
      ),
    },
  )
  expect((await teacher.put(`${path}/columns`, dropping)).status).toBe(200)
  await refreshAll(courseId)
  const totals = await allRows`select hundredths from marks
    where column_id = ${total} and user_id in (${ann.id}, ${bob.id})`
  expect(totals).toEqual([{ hundredths: 5_000 }, { hundredths: 5_000 }])
  expect(
    await allRows`select user_id, subject_id from notices where kind = 'mark_changed'`,
  ).toEqual([{ user_id: bob.id, subject_id: String(total) }])
})
