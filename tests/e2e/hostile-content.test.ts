/** The app shows what people write and upload, and never runs it; a text that takes too long to render is shown as typed. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { announcementCreated } from '#contract/announcements'
import { homeworkCreated } from '#contract/homeworks'
import { hintCreated } from '#contract/mistakes'
import { problemCreated } from '#contract/problems'
import { submissionCreated } from '#contract/submissions'
import type { ApiClient } from '../../scripts/api-client.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { untilJudged } from '../../scripts/demo/fill.ts'
import { textCase } from '../../scripts/demo/problem.ts'
import { packTestData } from '../../scripts/demo/test-data-zip.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { inTabs } from '../support/demo-visitor.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

/** Other runs look as admins, who see everything; `npm run test:full` looks as everybody and tries every bomb. */
const IS_FULL = Reflect.get(import.meta, 'env').MODE === 'full'

const COURSE = '/course/Demo'
const anything = z.unknown()

/** If it runs, the page has a `pwned`. */
const SHORT = '"><svg onload=pwned=1>'
const TAG = '<svg onload=p()>'
const EVERYTHING = `# <script>window.pwned=1</script>
<img src=x onerror="window.pwned=2"> <svg onload="window.pwned=3"></svg>
<iframe srcdoc="<script>parent.pwned=4</script>"></iframe> <base href="https://evil.example/">
[a](javascript:window.pwned=5) [b](JaVaScRiPt:window.pwned=6) [c](data:text/html,<script>pwned=7</script>)
[d](vbscript:x) <javascript:window.pwned=8> [e](&#x6A;avascript:window.pwned=9) [f]: javascript:pwned=10
![g](javascript:window.pwned=11) ![h](data:image/svg+xml,<svg/onload=pwned=12>)

$<img src=x onerror=pwned=13>%$ and $\\href{javascript:window.pwned=14}{x}$ and $\\url{javascript:pwned=15}$

$\\htmlData{x="onclick=pwned=16}{y}$ $\\unicode{<img src=x onerror=pwned=17>}$ $\\includegraphics{https://evil.example/x.png}$

\`\`\`c"><img src=x onerror=pwned=18>
</code><script>pwned=19</script>
\`\`\`

| <img src=x onerror=pwned=20> | \`<script>pwned=21</script>\` |
|---|---|
| {{constructor.constructor('pwned=22')()}} | </td><script>pwned=23</script> |
`

let stack: TestStack
let folder: string
let problemId: number
let paths: string[]

/** Hands in a program, waits for its verdict, and answers the address of its page. */
async function submit(api: ApiClient, languageType: number, code: string): Promise<string> {
  const { submissionId } = await api.call('POST', '/submission', submissionCreated, {
    json: { problemId, languageType, code },
  })
  await untilJudged(api, submissionId)
  return `${COURSE}/submission/${submissionId}`
}

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  folder = await temporaryFolder()
  const teacher = await clientOf(stack.url, 'teacher')
  const student = await clientOf(stack.url, 'student')
  await student.call('POST', '/profile', anything, {
    json: { displayedName: SHORT, bio: EVERYTHING.slice(0, 256) },
  })
  const { annId } = await teacher.call('POST', '/ann', announcementCreated, {
    json: { title: SHORT, markdown: EVERYTHING, courseName: 'Demo' },
  })
  const made = await teacher.call('POST', '/problem/manage', problemCreated, {
    json: {
      course: 'Demo',
      problemName: SHORT,
      status: 0,
      tags: [TAG],
      description: {
        description: EVERYTHING,
        input: EVERYTHING,
        output: EVERYTHING,
        hint: EVERYTHING,
        sampleInput: [EVERYTHING],
        sampleOutput: [EVERYTHING],
      },
      testCase: [
        { caseCount: 1, taskScore: 0, memoryLimit: 65_536, timeLimit: 1_000 },
        { caseCount: 1, taskScore: 100, memoryLimit: 65_536, timeLimit: 1_000 },
      ],
    },
  })
  problemId = made.problemId
  const cases = [[textCase('1\n', EVERYTHING)], [textCase('2\n', EVERYTHING)]]
  await teacher.uploadTestData(problemId, await packTestData(cases))
  const now = Math.floor(Date.now() / 1_000)
  const { id } = await teacher.call('POST', '/homework', homeworkCreated, {
    json: {
      name: SHORT,
      courseName: 'Demo',
      markdown: EVERYTHING,
      start: now - 60,
      end: now + 86_400,
      problemIds: [problemId],
    },
  })
  const refused = await submit(student, 1, `#error ${EVERYTHING.split('\n')[1]}\n`)
  const printed = JSON.stringify(`${EVERYTHING}!`)
  const wrong = await submit(
    student,
    2,
    `import sys\nprint(${printed})\nprint(${printed}, file=sys.stderr)\n`,
  )
  const about = { mistake: null, failed: { task: 0, case: 0 }, mayNameSecret: true }
  await teacher.call('POST', `/problem/${problemId}/hints`, hintCreated, {
    json: { ...about, markdown: EVERYTHING },
  })
  paths = [
    'announcements',
    `announcements/${annId}`,
    `announcements/${annId}/edit`,
    'homeworks',
    ...['edit', 'stats', 'mistakes'].map((page) => `homeworks/${id}/${page}`),
    'problems',
    `problem/${problemId}`,
    ...['edit', 'stats', 'submit', 'mistakes'].map((page) => `problem/${problemId}/${page}`),
    'members',
    'submissions',
  ].map((page) => `${COURSE}/${page}`)
  paths.push(refused, wrong, '/', '/profile', '/courses', '/admin/user')
})

/** Hostile code that has run on a page, or that a click could run. */
async function whatRuns(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = 'pwned' in globalThis ? [`pwned=${String(Reflect.get(globalThis, 'pwned'))}`] : []
    const addresses = [
      ...document.querySelectorAll('[href], [src], [action], [formaction]'),
    ].flatMap((element) =>
      ['href', 'src', 'action', 'formaction'].map((name) => element.getAttribute(name) ?? ''),
    )
    const handlers = [...document.querySelectorAll('*')].flatMap(({ attributes }) =>
      [...attributes].filter(({ name }) => name.startsWith('on')).map(({ name }) => name),
    )
    const frames = [...document.querySelectorAll('iframe, object, embed, base')].map(
      ({ tagName }) => tagName,
    )
    const dangerous = addresses.filter((address) =>
      /^\s*(javascript|data:text|data:image\/svg|vbscript):?/i.test(address),
    )
    return [...found, ...dangerous, ...handlers, ...frames]
  })
}

test.each(IS_FULL ? ['student', 'teacher', 'admin'] : ['admin'])(
  'nothing that anybody has written runs: %s [IV3]',
  async (person) => {
    const page = await newVisitor(stack.url)
    const dialogs: string[] = []
    page.context().on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    await enter(page, person)
    const ran: string[] = []
    await inTabs(page, paths, async (tab, path) => {
      await tab.goto(path)
      await tab.locator('main h1').waitFor()
      await tab.waitForLoadState('networkidle')
      await tab.locator('main details').evaluateAll((all: HTMLDetailsElement[]) => {
        for (const details of all) details.open = true
      })
      const outputs = tab.getByRole('button', { name: /^Show the output/ })
      // Each click renames the button, so the next one is found.
      while ((await outputs.count()) > 0) await outputs.first().click()
      const previews = tab.getByRole('button', { name: 'Preview', pressed: false })
      // Each click turns one button on, and it stays on.
      while ((await previews.count()) > 0) await previews.first().click()
      await tab.waitForLoadState('networkidle')
      for (const found of await whatRuns(tab)) ran.push(`${path}: ${found}`)
    })
    expect(ran).toEqual([])
    expect(dialogs).toEqual([])
  },
)

test('names inside zips and CSV files are shown and never run [IV3]', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/problem/${problemId}/edit`)
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  await writer.add('<img src=x onerror=pwned=1>.in', new TextReader('x'))
  const zip = join(folder, '<svg onload=pwned=1>.zip')
  await writeFile(zip, await writer.close())
  await page.getByLabel('Test data zip', { exact: true }).setInputFiles(zip)
  await page.getByText('<img src=x onerror=pwned=1>.in').waitFor()
  expect(await whatRuns(page)).toEqual([])
  await page.goto(`${COURSE}/members`)
  await page.getByText('Import members from a CSV file').click()
  const csv = join(folder, '<svg onload=pwned=1>.csv')
  await writeFile(
    csv,
    `username,password,email\n"${SHORT.replaceAll('"', '""')}",long-password,x\n`,
  )
  await page.locator('details input[type=file]').setInputFiles(csv)
  await page.getByText('Read 1 person').click()
  await expect
    .poll(() => page.getByText(SHORT).filter({ visible: true }).count())
    .toBeGreaterThan(1)
  expect(await whatRuns(page)).toEqual([])
})

/** The longest time in ms that a page is busy without a pause while it opens an announcement. */
async function longestStretchMs(annId: string): Promise<number> {
  const page = await newVisitor(stack.url)
  await enter(page, 'student')
  await page.goto(`${COURSE}/problems`)
  await page.locator('main h1').waitFor()
  // The profiler counts the work of the page's own thread, however busy the machine is.
  const session = await page.context().newCDPSession(page)
  await session.send('Profiler.enable')
  await session.send('Profiler.setSamplingInterval', { interval: 1_000 })
  await session.send('Profiler.start')
  await page.evaluate((address) => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, `${COURSE}/announcements/${annId}`)
  await page.locator('h1', { hasText: 'A bomb' }).waitFor()
  await page.locator('main .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  const { profile } = await session.send('Profiler.stop')
  expect((await page.getByRole('main').textContent())?.length).toBeGreaterThan(40)
  const idle = new Set(
    profile.nodes
      .filter(
        ({ callFrame }) =>
          callFrame.functionName === '(idle)' || callFrame.functionName === '(program)',
      )
      .map(({ id }) => id),
  )
  let longest = 0
  let stretch = 0
  for (const [index, id] of (profile.samples ?? []).entries()) {
    stretch = idle.has(id) ? 0 : stretch + (profile.timeDeltas?.[index] ?? 0)
    longest = Math.max(longest, stretch)
  }
  return longest / 1_000
}

const LONG = 100_000

/** Each bomb stresses another part of the way from text to page; the first three cover one part each. */
const BOMBS: [string, string][] = [
  ['nested quotes', '>'.repeat(LONG)],
  ['a definition that calls itself twice', '$\\def\\a{\\a\\a}\\a$'],
  ['thousands of formulas', '$a^2$ '.repeat(LONG / 6)],
  ['open brackets', '['.repeat(LONG)],
  ['stars', '*'.repeat(LONG)],
  ['stars and letters', '*a'.repeat(LONG / 2)],
  ['stars that begin and underscores that end', '*a_ '.repeat(LONG / 4)],
  ['backticks', Array.from({ length: 440 }, (_, count) => `${'`'.repeat(count)}a`).join(' ')],
  ['nested lists', Array.from({ length: 440 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n')],
  ['a wide table', `${'|a'.repeat(LONG / 5)}\n${'|-'.repeat(LONG / 5)}`],
  ['nested powers', `$${'x^{'.repeat(LONG / 8)}${'}'.repeat(LONG / 8)}$`],
]

test.each(IS_FULL ? BOMBS : BOMBS.slice(0, 3))(
  '%s: the page stays awake, and the text is there [IV4]',
  async (_, markdown) => {
    const teacher = await clientOf(stack.url, 'teacher')
    const post = (text: string) =>
      teacher.call('POST', '/ann', announcementCreated, {
        json: { title: 'A bomb', markdown: text, courseName: 'Demo' },
      })
    const harmless = await post('Harmless, and a little longer than forty characters.')
    const { annId } = await post(markdown)
    // Other work of the machine only adds time; on a slow machine a harmless page takes long, too.
    const most = Math.max(200, 4 * (await longestStretchMs(harmless.annId)))
    const looks: number[] = []
    while (looks.length < 5 && !looks.some((ms) => ms < most))
      looks.push(await longestStretchMs(annId))
    expect(Math.min(...looks)).toBeLessThan(most)
  },
)

/** Redirects in the address of the sign-in page, and where they lead. */
const REDIRECTS = [
  ['//evil.example/', '/'],
  ['/\\evil.example', '/'],
  ['/courses?x=//evil.example#y', '/courses?x=//evil.example#y'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['/%5Cevil.example', '/%5Cevil.example'],
  ['/\t/evil.example', '/'],
  ['\u0000//evil.example', '/'],
] as const

test('a sign-in leads to pages of ours only [AZ8]', async () => {
  for (const [redirect, lands] of IS_FULL ? REDIRECTS : REDIRECTS.slice(0, 3)) {
    const page = await newVisitor(stack.url)
    await page.goto(`/?${new URLSearchParams({ redirect })}`)
    await page.getByLabel('Username or email').fill('student')
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: /Account menu of/ }).waitFor()
    await expect.poll(() => page.url().replace(/\?redirect=.*$/, '')).toBe(`${stack.url}${lands}`)
    await page.context().close()
  }
})
