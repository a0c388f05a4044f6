/** Every route for every role: nothing for axe to find, nothing wider than the screen, in every language. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { announcement, announcementCreated } from '#contract/announcements'
import { submissionCreated } from '#contract/submissions'
import { createApiClient } from '../../scripts/api-client.ts'
import { launchBrowser, signIn } from '../../scripts/browser.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { newVisitor } from '../support/browser.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Whatever a teacher may write, and an attacker too. */
const EVERY_MARKDOWN = `# One <script>window.pwned = 1</script>
## Two
<img src=x onerror="window.pwned = 2">
[script](javascript:window.pwned=3), [data](data:text/html,x), [fine](https://example.org/)

- [ ] to do
- [x] done

| a | b |
|---|---|
| 1 | ${'w'.repeat(80)} |

$\\href{javascript:window.pwned=4}{x} \\frac{1}{2}$ and $\\frac{$ and \`code\`

$$
\\sum_{i=1}^{n} i
$$

\`\`\`c
int main(void) { return 0; } /* ${'x'.repeat(200)} */
\`\`\`

https://example.org/${'a'.repeat(150)}
`

const violations = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
})

let stack: TestStack
let browser: Browser
let systemPage: string
let coursePage: string
let submissionPath: string

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  browser = await launchBrowser()
  const teacher = createApiClient(stack.url)
  await teacher.login('teacher', DEMO_PASSWORD)
  const json = { title: '<b>Every</b> "text" & more', markdown: EVERY_MARKDOWN, courseName: 'Demo' }
  const { annId } = await teacher.call('POST', '/ann', announcementCreated, { json })
  coursePage = `${COURSE}/announcements/${annId}`
  const [first] = await teacher.call('GET', '/ann', z.array(announcement))
  systemPage = `/announcements/${first?.annId}`
  const student = createApiClient(stack.url)
  await student.login('student', DEMO_PASSWORD)
  const code = 'int main(void) { return "<script>"; }'
  const { submissionId } = await student.call('POST', '/submission', submissionCreated, {
    json: { problemId: 1, languageType: 0, code },
  })
  submissionPath = `${COURSE}/submission/${submissionId}`
})

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

function routesOf(role: string): string[] {
  const open = ['/', '/?redirect=%2Fcourses', '/about', '/settings', systemPage, '/nowhere']
  if (role === 'guest') return open
  const member = [
    ...open,
    '/courses',
    '/profile',
    ...['announcements', 'homeworks', 'problems', 'problem/1', 'problem/1/submit', 'problem/3'].map(
      (page) => `${COURSE}/${page}`,
    ),
    ...['submissions', 'members', 'nothing'].map((page) => `${COURSE}/${page}`),
    coursePage,
    submissionPath,
  ]
  if (role === 'student') return member
  return [
    ...member,
    ...['announcements/new', 'homeworks/new', 'problem/new', 'problem/1/edit'].map(
      (page) => `${COURSE}/${page}`,
    ),
    `${coursePage}/edit`,
    ...(role === 'ta' ? [] : ['/courses/new']),
  ]
}

/** What is wrong with the page that is open. */
async function faultsOf(page: Page): Promise<string[]> {
  const found = violations.parse(
    await page.evaluate(
      `${axeSource}; axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
    ),
  )
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  return [
    ...found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`),
    ...(wide > 0 ? [`${wide} px too wide`] : []),
    ...((await page.evaluate(() => 'pwned' in window)) ? ['a text has run as a script'] : []),
  ]
}

test.each([
  { role: 'guest', colorScheme: 'light', width: 1280, locale: 'chinese' },
  { role: 'student', colorScheme: 'dark', width: 375, locale: 'english' },
  { role: 'ta', colorScheme: 'light', width: 320, locale: 'taiwanese' },
  { role: 'teacher', colorScheme: 'dark', width: 1280, locale: 'chinese' },
  { role: 'admin', colorScheme: 'light', width: 375, locale: 'english' },
] as const)('$role, $colorScheme, $width px, $locale', async (look) => {
  const { page, errors } = await newVisitor(browser, stack.url)
  await page.setViewportSize({ width: look.width, height: 800 })
  await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' })
  if (look.role !== 'guest') await signIn(page, look.role)
  else await page.goto('/')
  await page.evaluate((locale) => localStorage.setItem('locale', locale), look.locale)
  const faults: string[] = []
  for (const route of routesOf(look.role)) {
    await page.goto(route)
    await page.waitForLoadState('networkidle')
    await page.locator('main h1').waitFor()
    for (const fault of await faultsOf(page)) faults.push(`${route}: ${fault}`)
  }
  expect(faults).toEqual([])
  expect(errors).toEqual([])
  await page.context().close()
})
