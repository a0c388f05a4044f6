/** Counts the rows that notices, their mails and joining read and write in a course of three hundred students. */
import { joinCode } from '#contract/joining'
import { okEnvelope } from '#contract/errors'
import { fillPeople } from './installation.ts'
import type { Report } from './report.ts'
import { send, type BenchStack, type Call } from './stack.ts'
import { adoptBucket, usesOfMinutes } from './term.ts'

const STUDENTS = 300
const HOMEWORKS = 200
/** The id of `Course 1`, and how many courses the student of the bell is in. */
const [COURSE_ID, COURSES] = [11, 5]
/** Announcements of each course that the student has seen and has not seen. */
const [SEEN, NEW] = [17, 3]
/** Minutes that are measured, and minutes before, in which the installation sets itself up. */
const [IDLE_MINUTES, SET_UP_MINUTES] = [30, 60]
/** The most people that a sweep mails. */
const MAILED = 50
const DAY = 86_400

/** The most rows written by an announcement; the most rows read by a join, a look at the bell and an idle sweep. */
const MOST = { announcement: 350, join: 150, bell: 400, sweep: 1_500 } as const

/** Fills the course up with students, and with homeworks of a whole year, none of which opens or is due in the next hours. */
async function fillCourse({ db }: BenchStack): Promise<void> {
  const start = Math.floor(Date.now() / 1_000) + DAY / 2
  const statements = [
    `insert into memberships (course_id, user_id, role, joined_at) select ${COURSE_ID}, id, 'student', ${start - DAY} from users
      where role = 2 and id not in (select user_id from memberships where course_id = ${COURSE_ID})
      limit ${STUDENTS} - (select count(*) from memberships where course_id = ${COURSE_ID})`,
    `delete from homeworks where course_id = ${COURSE_ID}`,
    `with recursive c(n) as (values(1) union all select n + 1 from c where n < ${HOMEWORKS})
      insert into homeworks (id, course_id, name, markdown, start_at, end_at, scoreboard_status, created_at, updated_at)
      select printf('%024x', 9000 + n), ${COURSE_ID}, 'Homework ' || n, '', ${start} + (n - 150) * ${DAY}, ${start} + (n - 136) * ${DAY}, 0, ${start}, ${start} from c`,
  ]
  await db.batch(statements.map((statement) => db.prepare(statement)))
}

/** Makes a call and prints its rows. */
async function rowsOf(stack: BenchStack, report: Report, what: string, call: Call) {
  const answer = await send(stack, { ...call, headers: { 'X-Count-Rows': '1' } })
  const [read, written] = ['X-Rows-Read', 'X-Rows-Written'].map((name) =>
    Number(answer.headers.get(name)),
  )
  report.note(what, `${read} rows read, ${written} written`)
  return { read: read ?? Number.NaN, written: written ?? Number.NaN, answer }
}

const announcement = (courseName: string, cookie: string): Call => ({
  path: '/api/ann',
  method: 'POST',
  cookie,
  json: { courseName, title: 'News', markdown: 'Something is new.', pinned: false },
})

/** The bell of a student in five courses, each with announcements of which some are new. */
async function reportBell(
  stack: BenchStack,
  student: string,
  teachers: readonly string[],
  report: Report,
): Promise<void> {
  const announce = async (times: number) => {
    for (let round = 0; round < times; round += 1)
      for (const [index, teacher] of teachers.entries())
        await send(stack, announcement(`Course ${index + 1}`, teacher))
  }
  await announce(SEEN)
  const newest = 'select max(id) as id from notices'
  const id = (await stack.db.prepare(newest).first<{ id: number }>())?.id ?? 0
  const seen = { path: '/api/notices/seen', method: 'PUT', cookie: student }
  await send(stack, { ...seen, json: { noticeId: id } })
  await announce(NEW)
  const call = { path: '/api/notices/count', cookie: student }
  const what = `the bell in ${COURSES} courses with ${NEW} new of ${SEEN + NEW}`
  const { read } = await rowsOf(stack, report, what, call)
  report.bound('rows read by a look at the bell', read, MOST.bell)
}

/** The next student joins by a code. */
async function reportJoin(stack: BenchStack, teacher: string, joiner: string, report: Report) {
  const path = '/api/course/Course 1/join-codes'
  const made = await send(stack, { path, method: 'POST', cookie: teacher, json: {} })
  const { code } = okEnvelope(joinCode).parse(await made.json()).data
  const call = { path: '/api/join', method: 'POST', cookie: joiner, json: { code } }
  const { read } = await rowsOf(stack, report, `a join of a course of ${STUDENTS}`, call)
  report.bound('rows read by a join', read, MOST.join)
}

/** How many mails have gone out. */
async function countMails({ db }: BenchStack): Promise<number> {
  const query = 'select count(*) as count from logged_mails'
  return (await db.prepare(query).first<{ count: number }>())?.count ?? 0
}

/** The rows of a sweep in which nothing happens, and of one that mails the day's news to fifty people. */
async function reportSweeps(stack: BenchStack, report: Report): Promise<() => Promise<void>> {
  await adoptBucket(stack)
  const start = Math.floor(Date.now() / 1_000)
  await usesOfMinutes(stack, start, SET_UP_MINUTES)
  const idle = await usesOfMinutes(stack, start + SET_UP_MINUTES * 60, IDLE_MINUTES)
  const [read, written] = [idle.rowsRead / IDLE_MINUTES, idle.rowsWritten / IDLE_MINUTES]
  report.note('an idle sweep', `${read.toFixed(0)} rows read, ${written.toFixed(0)} written`)
  report.bound(`rows read by an idle sweep, ${HOMEWORKS} homeworks`, read, MOST.sweep)
  return async () => {
    const due = await stack.db
      .prepare('select min(due_at) as at from notice_mails')
      .first<{ at: number }>()
    const before = await countMails(stack)
    const { rowsRead, rowsWritten } = await usesOfMinutes(stack, due?.at ?? 0, 1)
    const rows = `${rowsRead} rows read, ${rowsWritten} written`
    report.note(`a sweep that mails ${MAILED} people`, rows)
    report.least('mails of that sweep', (await countMails(stack)) - before, MAILED)
  }
}

export async function reportNoticeRows(stack: BenchStack, report: Report): Promise<void> {
  const { beginSession } = await fillPeople(stack)
  await fillCourse(stack)
  const members = `select user_id as id from memberships where course_id = ${COURSE_ID}`
  const numbers = async (query: string) =>
    (await stack.db.prepare(query).all<{ id: number }>()).results.map(({ id }) => id)
  const [member = 0] = await numbers(members)
  const [stranger = 0] = await numbers(
    `select id from users where role = 2 and id not in (${members}) limit 1`,
  )
  await stack.db
    .prepare(
      `insert or ignore into memberships (course_id, user_id, role, joined_at)
        select id, ${member}, 'student', 0 from courses where id between ${COURSE_ID} and ${COURSE_ID + COURSES - 1}`,
    )
    .run()
  const teachers = await Promise.all(
    Array.from({ length: COURSES }, (_, index) => beginSession(101 + index)),
  )
  const [teacher = ''] = teachers
  const reportMailing = await reportSweeps(stack, report)
  const what = `an announcement to ${STUDENTS} people`
  const { written } = await rowsOf(stack, report, what, announcement('Course 1', teacher))
  report.bound(`rows written by ${what}`, written, MOST.announcement)
  await reportBell(stack, await beginSession(member), teachers, report)
  await reportJoin(stack, teacher, await beginSession(stranger), report)
  await reportMailing()
}
