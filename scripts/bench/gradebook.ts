/**
 * `npm run bench -- gradebook`: a gradebook of 1,000 students, 40 homeworks of 5 problems and 10 submissions to each. It computes all marks anew,
 * counts the rows of a page, and scrolls through the page in a real browser on a processor slowed down four times.
 */
import type { BrowserContext, Page } from 'playwright-core'
import * as z from 'zod'
import { okEnvelope } from '#contract/errors'
import { gradebookColumns, gradebookPage } from '#contract/gradebook'
import { operationStarted, operationStatus } from '#contract/operations'
import { launchBrowser } from '../test/browser.ts'
import { goInApp, openApp, openWarm, VIEW } from './app.ts'
import { fillPeople } from './installation.ts'
import { percentile, timed, type Report } from './report.ts'
import { send, withBenchStack, type BenchStack } from './stack.ts'

const [COURSE, COURSE_ID] = ['Course 1', 11]
const [STUDENTS, HOMEWORKS, PROBLEMS, TRIES] = [1_000, 40, 5, 10]
const CPU_SLOW_DOWN = 4
const ROUNDS = 5
const PAGE_PEOPLE = 50
const [FRAMES, FRAME_PIXELS] = [200, 90]
/** Slices of time after which computing must be over. */
const MOST_SLICES = 200

/** Marks on a page: one for each column, the total among them. */
const PAGE_MARKS = PAGE_PEOPLE * (HOMEWORKS + 1)
/**
 * Bounds: seconds, and rows of the whole call. Beside each mark SQLite reads its list of columns; in the order of names it also reads everybody's
 * membership and name.
 */
const MOST = {
  firstRowsS: 1,
  exportS: 5,
  blankFrames: 0,
  rowsByTotal: 2 * PAGE_MARKS + 1_100,
  rowsByName: 2 * PAGE_MARKS + 1_100 + 4 * STUDENTS,
} as const

const path = (rest: string) => `/api/course/${encodeURIComponent(COURSE)}/gradebook${rest}`

/** A table of the numbers from 1 to `last`. */
const series = (last: number) =>
  `(with recursive c(n) as (values(1) union all select n + 1 from c where n < ${last}) select n from c)`

/** The course with its homeworks, whose problems have ids from 10,001 on, and everybody's submissions as the summaries hold them. */
function statements(): string[] {
  const now = Math.floor(Date.now() / 1_000)
  const begin = now - 90 * 86_400
  const attempt = (nth: number) =>
    `printf('%012x', (${begin} + h.n * 86400 + ${nth} * 3600) * 1000) || printf('%012x', m.user_id), json_array(${begin} + h.n * 86400 + ${nth} * 3600, 1, (m.user_id * 7 + h.n * 3 + p.n + ${nth} * 9) % 101)`
  const attempts = Array.from({ length: TRIES }, (_, nth) => attempt(nth)).join(', ')
  return [
    `insert into memberships (course_id, user_id, role, joined_at) select ${COURSE_ID}, id, 'student', ${now} from users
      where role = 2 and id not in (select user_id from memberships where course_id = ${COURSE_ID})
      limit ${STUDENTS} - (select count(*) from memberships where course_id = ${COURSE_ID})`,
    `delete from homeworks where course_id = ${COURSE_ID}`,
    `insert into homeworks (id, course_id, name, markdown, start_at, end_at, close_at, late_rule, scoreboard_status, created_at, updated_at)
      select printf('%024x', 9000 + n), ${COURSE_ID}, 'Week ' || n, '', ${begin} + n * 86400, ${begin} + n * 86400 + 18000, ${begin} + n * 86400 + 86400,
        '{"kind":"units","unitMinutes":60,"percent":5,"how":"multiply","floor":0}', 0, ${now}, ${now} from ${series(HOMEWORKS)}`,
    `insert into problems (id, course_id, name, status, type, owner_id, tags, quota, allowed_language, description, compare, created_at, updated_at)
      select 10000 + n, ${COURSE_ID}, 'Task ' || n, 0, 0, 101, '[]', -1, 7,
        '{"description":"","input":"","output":"","hint":"","sampleInput":[],"sampleOutput":[]}', '{"mode":"lines"}', ${now}, ${now} from ${series(HOMEWORKS * PROBLEMS)}`,
    `insert into homework_problems (homework_id, problem_id, position)
      select printf('%024x', 9000 + h.n), 10000 + (h.n - 1) * ${PROBLEMS} + p.n, p.n from ${series(HOMEWORKS)} h join ${series(PROBLEMS)} p`,
    ...Array.from(
      { length: HOMEWORKS },
      (
        _,
        index,
      ) => `insert into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score, status_counts, attempts)
      select 10000 + ${index * PROBLEMS} + p.n, m.user_id, ${TRIES}, ${TRIES}, 0, 100, 0, '[0,${TRIES},0,0,0,0,0,0]', json_object(${attempts})
      from memberships m join ${series(PROBLEMS)} p join (select ${index + 1} as n) h where m.course_id = ${COURSE_ID}`,
    ),
  ]
}

/** Computes all marks of the course anew, as staff can. @returns seconds of the longest slice, and of all */
async function rebuild(stack: BenchStack, cookie: string) {
  const started = await send(stack, { path: path('/rebuild'), cookie, method: 'POST' }, [202])
  const { jobId } = okEnvelope(operationStarted).parse(await started.json()).data
  const slices: number[] = []
  for (let isOver = false; !isOver;) {
    if (slices.length === MOST_SLICES) throw new Error('The marks are not computed')
    slices.push(await timed(() => send(stack, { path: `/bench/step?id=${jobId}`, cookie: '' })))
    const answer = await send(stack, { path: `/api/jobs/${jobId}`, cookie })
    const { state } = okEnvelope(operationStatus).parse(await answer.json()).data
    if (state === 'failed') throw new Error('Computing the marks failed')
    isOver = state === 'done'
  }
  const seconds = slices.reduce((sum, ms) => sum + ms, 0) / 1_000
  return { longest: Math.max(...slices) / 1_000, seconds }
}

/** The rows that a page of fifty people reads, by name and by total. */
async function benchRows(stack: BenchStack, cookie: string, report: Report): Promise<void> {
  const answer = await send(stack, { path: path('/columns'), cookie })
  const { columns } = okEnvelope(gradebookColumns).parse(await answer.json()).data
  const total = columns.find(({ kind }) => kind === 'total')
  for (const [what, sort, most] of [
    ['name', 'name', MOST.rowsByName],
    ['total', String(total?.id), MOST.rowsByTotal],
  ] as const) {
    const query = `?sort=${sort}&order=down&limit=${PAGE_PEOPLE}`
    const page = await send(stack, { path: path(query), cookie, headers: { 'X-Count-Rows': '1' } })
    const { people } = okEnvelope(gradebookPage).parse(await page.json()).data
    const filled = people.reduce(
      (sum, { cells }) => sum + cells.filter(([points]) => points !== null).length,
      0,
    )
    const detail = `${filled} marks of ${people.length} people`
    const rows = Number(page.headers.get('X-Rows-Read'))
    report.bound(`rows read by a page sorted by ${what}`, rows, most, detail)
    report.least(`marks on a page sorted by ${what}`, filled, PAGE_PEOPLE * HOMEWORKS)
  }
}

/** Opens the gradebook in the app. @returns the page, and the seconds until its first rows stood there */
async function openBook(context: BrowserContext) {
  const page = await openWarm(context)
  const begin = performance.now()
  await goInApp(page, `/course/${encodeURIComponent(COURSE)}/gradebook`)
  await page.getByRole('grid').getByRole('row').nth(10).waitFor()
  return { page, seconds: (performance.now() - begin) / 1_000 }
}

/** Scrolls one step a frame, and looks before each frame is painted whether rows fill the visible part. */
const SCROLL = `async ([frames, pixels]) => {
  const grid = document.querySelector('[role=grid]')
  let box = grid
  while (box.scrollHeight <= box.clientHeight + 1 || !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement ?? document.scrollingElement
  const seen = []
  let blank = 0
  for (let frame = 0; frame < frames; frame += 1) {
    box.scrollTop += pixels
    await new Promise((resolve) => requestAnimationFrame(resolve))
    const { top } = box.getBoundingClientRect()
    const rows = [...grid.querySelectorAll('tr')].map((row) => [row.getBoundingClientRect(), row.textContent])
    const isFilled = (y) => rows.some(([rect, text]) => rect.top <= y && rect.bottom >= y && text.trim() !== '')
    const end = Math.min(top + box.clientHeight, innerHeight) - 2
    let isBlank = false
    for (let y = top + 2; y < end; y += 12) if (!isFilled(y)) isBlank = true
    if (isBlank) blank += 1
    seen.push(box.scrollTop)
  }
  return { blank, distance: seen.at(-1) - seen[0] }
}`
const scrolled = z.object({ blank: z.int(), distance: z.number() })

/** Scrolls on a slowed processor. */
async function scroll(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOW_DOWN })
  return scrolled.parse(await page.evaluate(`(${SCROLL})([${FRAMES}, ${FRAME_PIXELS}])`))
}

async function benchBrowser(stack: BenchStack, cookie: string, report: Report): Promise<void> {
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext(VIEW)
    await openApp(stack, context, cookie)
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const { page, seconds } = await openBook(context)
      times.push(seconds)
      if (round === ROUNDS - 1) {
        await page.waitForLoadState('networkidle')
        const { blank, distance } = await scroll(page)
        const slow = `${CPU_SLOW_DOWN} × CPU slow-down`
        report.bound(`frames of ${FRAMES} with a blank row`, blank, MOST.blankFrames, slow)
        report.least('pixels scrolled', distance, (FRAMES - 1) * FRAME_PIXELS * 0.9)
      }
      await page.close()
    }
    report.bound('first rows, median, s', percentile(times, 0.5), MOST.firstRowsS)
  } finally {
    await browser.close()
  }
}

export async function benchGradebook(report: Report): Promise<void> {
  await withBenchStack(async (stack) => {
    const { teacher } = await fillPeople(stack)
    for (const statement of statements()) await stack.db.prepare(statement).run()
    const { longest, seconds } = await rebuild(stack, teacher)
    const marks = `${STUDENTS} × ${HOMEWORKS} marks`
    report.note(
      `${marks} computed anew`,
      `${seconds.toFixed(1)} s, longest slice ${longest.toFixed(1)} s`,
    )
    await benchRows(stack, teacher, report)
    const exports: number[] = []
    for (let round = 0; round < ROUNDS; round += 1)
      exports.push(
        await timed(async () =>
          (await send(stack, { path: path('/file'), cookie: teacher })).text(),
        ),
      )
    report.bound(`export of ${marks}, median, s`, percentile(exports, 0.5) / 1_000, MOST.exportS)
    await benchBrowser(stack, teacher, report)
  })
}
