/** `npm run screenshots`: pictures of the demo course for README and review, into docs/screenshots/. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { submissionCreated, submissionDetail } from '#contract/submissions'
import { createApiClient, type ApiClient } from './api-client.ts'
import { launchBrowser, signIn } from './browser.ts'
import { buildWeb } from './build-web.ts'
import { DEMO_PASSWORD } from './demo/accounts.ts'
import { runCommand } from './plain-error.ts'
import { freePort } from './ports.ts'
import { ROOT } from './root.ts'
import { seedDemo } from './seed-demo.ts'
import { startStack } from './stack.ts'

const FOLDER = join(ROOT, 'docs/screenshots')
const COURSE = '/course/Demo'

/** Programs for the demo's first problem, so that lists show more than one verdict. C, C++ and Python. */
const PROGRAMS = [
  { languageType: 2, code: 'print(sum(map(int, input().split())) + 1)\n' },
  { languageType: 1, code: 'int main() { return undeclared; }\n' },
  {
    languageType: 0,
    code: '#include <stdio.h>\n\nint main(void)\n{\n    int a, b;\n    scanf("%d %d", &a, &b);\n    printf("%d\\n", a + b);\n}\n',
  },
]

/** Hands in a program and waits for its verdict; answers its id. */
async function judge(api: ApiClient, program: (typeof PROGRAMS)[number]): Promise<string> {
  const { submissionId } = await api.call('POST', '/submission', submissionCreated, {
    json: { problemId: 1, ...program },
  })
  for (let tries = 0; tries < 150; tries += 1) {
    const { status } = await api.call('GET', `/submission/${submissionId}`, submissionDetail)
    if (status !== -1) break
    await delay(200)
  }
  return submissionId
}

/** The pages of one person. */
interface Album {
  user: string
  pages: Record<string, string>
}

/** Takes every page of an album in every look. */
async function takeAlbum(browser: Browser, url: string, { user, pages }: Album): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [size, viewport] of Object.entries({
      wide: { width: 1280, height: 860 },
      narrow: { width: 375, height: 812 },
    })) {
      const context = await browser.newContext({ baseURL: url, viewport, colorScheme })
      const page = await context.newPage()
      if (user !== 'guest') await signIn(page, user)
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(path)
        await page.waitForLoadState('networkidle')
        await page.screenshot({ path: join(FOLDER, `${name}-${size}-${colorScheme}.png`) })
      }
      await context.close()
    }
}

async function takeScreenshots(): Promise<void> {
  await buildWeb()
  const stateDir = mkdtempSync(join(tmpdir(), 'judge-screenshots-'))
  const stack = await startStack({ port: await freePort(), stateDir, runners: 1 })
  const browser = await launchBrowser()
  try {
    await seedDemo(stack.url)
    await stack.untilHealthy()
    const api = createApiClient(stack.url)
    await api.login('student', DEMO_PASSWORD)
    let submissionId = ''
    for (const program of PROGRAMS) submissionId = await judge(api, program)
    mkdirSync(FOLDER, { recursive: true })
    const albums: Album[] = [
      { user: 'guest', pages: { home: '/' } },
      {
        user: 'student',
        pages: {
          homeworks: `${COURSE}/homeworks`,
          problem: `${COURSE}/problem/2`,
          submit: `${COURSE}/problem/1/submit`,
          submission: `${COURSE}/submission/${submissionId}`,
          submissions: `${COURSE}/submissions`,
        },
      },
      {
        user: 'teacher',
        pages: {
          problems: `${COURSE}/problems`,
          'problem-edit': `${COURSE}/problem/1/edit`,
          members: `${COURSE}/members`,
        },
      },
    ]
    for (const album of albums) await takeAlbum(browser, stack.url, album)
    console.log(`Pictures are in ${FOLDER}.`)
  } finally {
    await browser.close()
    await stack.stop()
    rmSync(stateDir, { recursive: true, force: true })
  }
}

await runCommand(takeScreenshots)
