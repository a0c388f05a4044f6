/**
 * `npm run bench -- mistakes`: the groups of a problem with 2,000 failing submissions of 200 people, in 25 groups: rows, time, and the page for
 * staff in a real browser. Then how soon an open page shows a hint after a real runner's result is stored, and after staff have written it.
 */
import type { Page } from 'playwright-core'
import * as z from 'zod'
import { okEnvelope } from '#contract/errors'
import { hintCreated, mistakePage } from '#contract/mistakes'
import { submissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import type { ApiClient } from '../api-client.ts'
import { textCase } from '../demo/problem.ts'
import { packTestData } from '../demo/test-data-zip.ts'
import { startReaper } from '../process/reaper.ts'
import { startRunnerProxy, type ProxiedCall } from '../stack/runner-proxy.ts'
import type { Stack } from '../stack/stack.ts'
import { launchBrowser, signIn } from '../test/browser.ts'
import { goInApp, openApp, openWarm, VIEW } from './app.ts'
import { clientOf, handIn, startOneSlot, withDemoJudge } from './demo-judge.ts'
import { fillPeople } from './installation.ts'
import { percentile, timed, type Report } from './report.ts'
import { send, withBenchStack, type BenchStack } from './stack.ts'

const [COURSE, COURSE_ID, PROBLEM] = ['Course 1', 11, 1]
const [PEOPLE, TRIES, GROUPS] = [200, 10, 25]
const CALLS = 20
const PAGES = 5
const PROGRAMS = 30
const EDITS = 30
const STUDENT = 'student2'
const OUTPUTS_KEY = 'outputs/of-the-benchmark.json'
const ZIP_KEY = 'test-data/of-the-benchmark.zip'
const MOST = { rows: 300, callMs: 300, firstRowsS: 1, pushP95Ms: 300 } as const

/** The students with their tries, and the mistake of each try: `n` students, `t` tries, from 0. */
const TRIED = `(with recursive tries(t) as (values(0) union all select t + 1 from tries where t < ${TRIES - 1}),
  people as (select user_id, row_number() over (order by user_id) - 1 as n from memberships where course_id = ${COURSE_ID} and role = 'student')
  select user_id, n, t, case when t < ${TRIES - 1} then (n + t) % ${GROUPS} else min(n % ${GROUPS}, n / 3 % ${GROUPS}) end as wrong from people join tries)`

const ran = (status: number | null) =>
  status === null
    ? { status, runTime: null, memoryUsage: null }
    : { status, runTime: 3, memoryUsage: 900 }

/** The subtasks of a submission that fails first at its first case, or at its second. */
const subtasksOf = (isFirst: boolean) => {
  const cases = isFirst ? [ran(STATUS.WA), ran(null)] : [ran(STATUS.AC), ran(STATUS.WA)]
  return JSON.stringify([{ ...ran(STATUS.WA), score: 0, cases }])
}

/** The submissions, one a minute until now, with judgements, sources and summaries. */
function statements(): string[] {
  const now = Math.floor(Date.now() / 1_000)
  const at = `(${now} - ((${TRIES - 1} - t) * ${PEOPLE} + n) * 60)`
  const id = `printf('%012x%012x', ${at} * 1000, n * ${TRIES} + t)`
  const mistake = `printf('bench-mistake-%02d', wrong)`
  const last = TRIES - 1
  return [
    `insert into memberships (course_id, user_id, role, joined_at) select ${COURSE_ID}, id, 'student', ${now} from users
      where role = 2 and id not in (select user_id from memberships where course_id = ${COURSE_ID})
      limit ${PEOPLE} - (select count(*) from memberships where course_id = ${COURSE_ID} and role = 'student')`,
    `insert into submissions (id, problem_id, course_id, user_id, language_type, status, score, run_time_ms, memory_kb, judgement_id, quota_used, ip, created_at, accepted_at)
      select ${id}, ${PROBLEM}, ${COURSE_ID}, user_id, n % 3, ${STATUS.WA}, 0, 3, 900, ${id}, 0, '', ${at}, ${at} from ${TRIED}`,
    `insert into judgements (id, submission_id, state, priority, rank, attempt, queued_at, ticket_at, phase, cases_done, cases_total, finished_at, status,
      test_data_version, subtasks, mistake, outputs_key)
      select ${id}, ${id}, 'done', 0, 0, 1, 1, 1, 'running', 2, 2, 1, ${STATUS.WA}, printf('%024x', ${PROBLEM}),
        iif(wrong % 2 = 0, '${subtasksOf(true)}', '${subtasksOf(false)}'), ${mistake}, '${OUTPUTS_KEY}' from ${TRIED}`,
    `insert into submission_sources (submission_id, code) select ${id}, cast('int main(){ puts("0"); }' as blob) from ${TRIED}`,
    `insert or replace into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score, status_counts, failed_id, mistake)
      select ${PROBLEM}, user_id, ${TRIES}, ${TRIES}, 0, 0, 0, iif(n % 5 = 0, '[1,${last},0,0,0,0,0,0]', '[0,${TRIES},0,0,0,0,0,0]'), ${id}, ${mistake}
      from ${TRIED} where t = ${last}`,
  ]
}

/** The test data, and what each program printed in the two cases. */
async function keepFiles({ db, miniflare }: BenchStack): Promise<void> {
  const bucket = await miniflare.getR2Bucket('BUCKET')
  const text = { stdout: 'MAo=', stdoutSize: 2, stderr: '', stderrSize: 0 }
  const cases = [0, 1].map((index) => ({ task: 0, case: index, ...text }))
  const outputs = cases.map((output) => ({ ...output, expected: 'Mwo=', expectedSize: 2 }))
  await bucket.put(OUTPUTS_KEY, JSON.stringify(outputs))
  const zip = await packTestData([cases.map(() => textCase('1 2\n', '3\n'))])
  await bucket.put(ZIP_KEY, zip)
  await db
    .prepare(
      `update test_data_versions set object_key = '${ZIP_KEY}', size_bytes = ? where problem_id = ${PROBLEM}`,
    )
    .bind(zip.byteLength)
    .run()
}

const asked = `/api/problem/${PROBLEM}/mistakes`

/** The rows and the time of the groups' first page. */
async function benchCall(stack: BenchStack, cookie: string, report: Report): Promise<void> {
  const call = { path: asked, cookie }
  const page = await send(stack, { ...call, headers: { 'X-Count-Rows': '1' } })
  const { people, groupCount } = okEnvelope(mistakePage).parse(await page.json()).data
  const found = `${people} people, ${groupCount} groups`
  report.bound('rows read by the groups', Number(page.headers.get('X-Rows-Read')), MOST.rows, found)
  report.least('people in groups', people, PEOPLE)
  report.least('groups', groupCount, GROUPS)
  const times: number[] = []
  for (let round = 0; round < CALLS; round += 1)
    times.push(await timed(async () => (await send(stack, call)).text()))
  const detail = `median ${percentile(times, 0.5).toFixed(1)} ms`
  report.bound('the groups: p95, ms', percentile(times, 0.95), MOST.callMs, detail)
}

/** The time until the page for staff shows its first rows, and until one of them says what was printed. */
async function benchStaffPage(stack: BenchStack, cookie: string, report: Report): Promise<void> {
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext(VIEW)
    await openApp(stack, context, cookie)
    const [rows, printed]: [number[], number[]] = [[], []]
    for (let round = 0; round < PAGES; round += 1) {
      const page = await openWarm(context)
      const begin = performance.now()
      await goInApp(page, `/course/${encodeURIComponent(COURSE)}/problem/${PROBLEM}/mistakes`)
      const list = page.getByRole('main').getByRole('button', { name: /^\d+ people/ })
      await list.nth(2).waitFor()
      rows.push((performance.now() - begin) / 1_000)
      await list
        .filter({ hasText: /printed\s*0/ })
        .first()
        .waitFor()
      printed.push((performance.now() - begin) / 1_000)
      await page.close()
    }
    const detail = `${percentile(printed, 0.5).toFixed(2)} s until what was printed`
    report.bound('first groups, median, s', percentile(rows, 0.5), MOST.firstRowsS, detail)
  } finally {
    await browser.close()
  }
}

/** Holds the results of a runner back until the student's page is open. */
class HeldResults {
  #open = Promise.resolve()
  #letGo = () => {}
  #stored = Promise.withResolvers<number>()

  /** For the runner's proxy. */
  readonly act = async ({ name, stage }: ProxiedCall): Promise<true> => {
    if (name !== 'result') return true
    if (stage === 'asked') await this.#open
    if (stage === 'answered') this.#stored.resolve(Date.now())
    return true
  }

  hold(): void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#open = promise
    this.#letGo = resolve
    this.#stored = Promise.withResolvers()
  }

  /** @returns when the result was stored, epoch ms */
  release(): Promise<number> {
    this.#letGo()
    return this.#stored.promise
  }
}

/** A script for the page of a submission: returns when the page shows the verdict and when it shows the text, epoch ms. */
const watch = (text: string) => `new Promise((resolve) => {
  let verdictMs = null
  function look() {
    const main = document.querySelector('main')
    if (verdictMs === null && main?.querySelector('[data-status="${STATUS.WA}"]')) verdictMs = Date.now()
    if (verdictMs === null || !main?.textContent.includes(${JSON.stringify(text)})) return
    observer.disconnect()
    resolve({ verdictMs, hintMs: Date.now() })
  }
  const observer = new MutationObserver(look)
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  look()
})`
const watched = z.object({ verdictMs: z.number(), hintMs: z.number() })

/** A program that prints 0 whatever it reads; its text is another one each time. */
const wrongProgram = (mark: number) =>
  `#include <stdio.h>\nint main(void) { long long sum${mark} = 0; printf("%lld\\n", sum${mark}); }\n`

/** Hands a wrong program in; returns its mistake once it is judged. */
async function learnMistake(student: ApiClient, teacher: ApiClient): Promise<string> {
  const submissionId = await handIn(student, 0, wrongProgram(0))
  for (;;) {
    const detail = await teacher.call('GET', `/submission/${submissionId}`, submissionDetail)
    if (detail.mistake) return detail.mistake
    if (detail.status !== STATUS.PENDING) throw new Error(`no mistake after ${detail.status}`)
  }
}

interface Pushing {
  page: Page
  held: HeldResults
  student: ApiClient
  teacher: ApiClient
}

/** Writes a hint for a mistake, or another text into it. */
async function writeHint(teacher: ApiClient, markdown: string, about: string | number) {
  const path = `/problem/${PROBLEM}/hints`
  if (typeof about === 'string')
    return (await teacher.call('POST', path, hintCreated, { json: { markdown, mistake: about } }))
      .hintId
  await teacher.call('PUT', `${path}/${about}`, z.null(), { json: { markdown } })
  return about
}

/** Opens the page of one more wrong program, whose result waits. */
async function openWaiting({ page, held, student }: Pushing, mark: number): Promise<void> {
  held.hold()
  const submissionId = await handIn(student, 0, wrongProgram(mark))
  await page.goto(`/course/Demo/submission/${submissionId}`)
  await page.locator(`main [data-status="${STATUS.PENDING}"]`).first().waitFor()
}

/** Fresh programs with the mistake, then new texts of the hint while the last one's page is open. */
async function benchPush(pushing: Pushing, report: Report): Promise<void> {
  const { page, held, student, teacher } = pushing
  const text = (edit: number) => `Think of the numbers again (${edit}).`
  const hintId = await writeHint(teacher, text(0), await learnMistake(student, teacher))
  const [afterResult, afterVerdict, afterEdit]: number[][] = [[], [], []]
  for (let round = 1; round <= PROGRAMS; round += 1) {
    await openWaiting(pushing, round)
    const shown = page.evaluate(watch(text(0)))
    const storedMs = await held.release()
    const { verdictMs, hintMs } = watched.parse(await shown)
    afterResult?.push(Math.max(0, hintMs - storedMs))
    afterVerdict?.push(hintMs - verdictMs)
  }
  for (let edit = 1; edit <= EDITS; edit += 1) {
    const shown = page.evaluate(watch(text(edit)))
    const begunMs = Date.now()
    await writeHint(teacher, text(edit), hintId)
    afterEdit?.push(watched.parse(await shown).hintMs - begunMs)
  }
  for (const [what, times = []] of [
    ['result stored → hint shown', afterResult],
    ['verdict shown → hint shown', afterVerdict],
    ['PUT of the hint → shown on the open page', afterEdit],
  ] as const) {
    const detail = `median ${percentile(times, 0.5).toFixed(0)} ms of ${times.length}`
    report.bound(`${what}: p95, ms`, percentile(times, 0.95), MOST.pushP95Ms, detail)
  }
}

async function benchPushes(stack: Stack, report: Report): Promise<void> {
  const held = new HeldResults()
  const proxy = await startRunnerProxy(stack.runnerEnvironment, held.act)
  const runner = startOneSlot(stack, startReaper(), 'held', proxy.environment)
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ baseURL: stack.url })
    await signIn(page, STUDENT)
    const [student, teacher] = [
      await clientOf(stack.url, STUDENT),
      await clientOf(stack.url, 'teacher'),
    ]
    await benchPush({ page, held, student, teacher }, report)
  } finally {
    await browser.close()
    await runner.stop()
    await proxy.close()
  }
}

/** The call and the page for staff. */
export async function benchGroups(report: Report): Promise<void> {
  await withBenchStack(async (stack) => {
    const { teacher } = await fillPeople(stack)
    for (const statement of statements()) await stack.db.prepare(statement).run()
    await keepFiles(stack)
    await benchCall(stack, teacher, report)
    await benchStaffPage(stack, teacher, report)
  })
}

/** The page of a student. */
export async function benchHints(report: Report): Promise<void> {
  await withDemoJudge({ runners: 0 }, (stack) => benchPushes(stack, report))
}

export async function benchMistakes(report: Report): Promise<void> {
  await benchGroups(report)
  await benchHints(report)
}
