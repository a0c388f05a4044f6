/** Open pages get verdicts by hints; pages that get no hints poll. */
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page, WebSocket, WebSocketRoute } from 'playwright-core'
import { beforeAll, expect, inject, test } from 'vitest'
import { announcementCreated } from '#contract/announcements'
import { courseItem } from '#contract/courses'
import { LIVE } from '#contract/limits'
import { LIVE_CLOSE } from '#contract/live'
import { problemCreated } from '#contract/problems'
import { submissionCreated } from '#contract/submissions'
import type { ApiClient } from '../../scripts/api-client.ts'
import { LIVE_POLL_MS } from '../../web/lib/api/polling.ts'
import { testDataZip } from '../runner/fixtures/zip-builder.ts'
import { axeFaults } from '../support/axe.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { afterThisFile, temporaryFolder } from '../support/clean-up.ts'
import { createRunner, type TestRunner } from '../support/runner.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = 'Live'
/** Seconds that a program sleeps; polling would ask ten times meanwhile. */
const SLEEP = 3

let stack: TestStack
let admin: ApiClient
let problemId: number
/** Starts when the pages wait. */
let runner: TestRunner

beforeAll(async () => {
  stack = await startTestStack({
    demo: true,
    runners: 0,
    variables: { SUBMIT_LIMIT_PER_MINUTE: '0' },
  })
  const folder = await temporaryFolder()
  await symlink(join(inject('judgeTemplate'), 'tools'), join(folder, 'tools'))
  runner = createRunner({
    ...stack.runnerEnvironment,
    RUNNER_NAME: 'late',
    RUNNER_SLOTS: '1',
    RUNNER_STATE_DIR: folder,
  })
  afterThisFile(() => runner.stop())
  admin = await clientOf(stack.url, 'admin')
  await admin.call('POST', '/course', courseItem.pick({ course: true }), {
    json: { course: COURSE, teacher: 'admin' },
  })
  const created = await admin.call('POST', '/problem/manage', problemCreated, {
    json: {
      course: COURSE,
      problemName: 'Patience',
      status: 0,
      description: { description: 'Print done.' },
      testCase: [{ caseCount: 1, taskScore: 100, memoryLimit: 65_536, timeLimit: 10_000 }],
    },
  })
  problemId = created.problemId
  await admin.uploadTestData(problemId, new Uint8Array(testDataZip([[['', 'done\n']]])))
})

async function submit(mark: string): Promise<string> {
  const code = `#include <stdio.h>\n#include <unistd.h>\nint main(void) { sleep(${SLEEP}); puts("done"); } // ${mark}\n`
  const { submissionId } = await admin.call('POST', '/submission', submissionCreated, {
    json: { problemId, languageType: 0, code },
  })
  return submissionId
}

/** Counts the sockets that the pages of a browser have open, and the reads of submissions. */
function counts(context: BrowserContext) {
  const sockets = new Map<WebSocket, Page>()
  const counted = {
    reads: 0,
    get sockets() {
      return [...sockets].filter(([socket, page]) => !socket.isClosed() && !page.isClosed()).length
    },
  }
  const watch = (page: Page) => {
    page.on('websocket', (socket) => sockets.set(socket, page))
    // Playwright does not report that a socket closed with its document.
    page.on('domcontentloaded', () => {
      for (const [socket, owner] of sockets) if (owner === page) sockets.delete(socket)
    })
  }
  for (const page of context.pages()) watch(page)
  context.on('page', watch)
  context.on('request', (request) => {
    if (/\/api\/submission\/[0-9a-f]+$/.test(request.url())) counted.reads += 1
  })
  return counted
}

/** Makes pages mark their root element once a socket is open. */
async function markOpenSocket(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { WebSocket: Real } = globalThis
    globalThis.WebSocket = class extends Real {
      constructor(...args: ConstructorParameters<typeof Real>) {
        super(...args)
        this.addEventListener('open', () => {
          document.documentElement.dataset.socket = 'open'
        })
      }
    }
  })
}

/** Opens a submission; `judged` resolves when the page shows its verdict. */
async function open(page: Page, submissionId: string) {
  await page.goto(`/course/${COURSE}/submission/${submissionId}`)
  await page
    .getByText(/In the queue|Compiling …|Running case|Accepted/)
    .first()
    .waitFor()
  return { judged: () => page.getByText('Accepted').first().waitFor() }
}

test('a verdict comes to every open page over a socket of its own, and none of them polls', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'admin')
  const context = page.context()
  const counted = counts(context)
  const other = await context.newPage()
  const submissionId = await submit('pushed')
  const [one, two] = [await open(page, submissionId), await open(other, submissionId)]
  await expect.poll(() => counted.sockets).toBe(2)
  await page.waitForResponse(/\/api\/submission\//)
  const before = { reads: counted.reads, ms: Date.now() }
  await runner.start()
  await Promise.all([one.judged(), two.judged()])
  // A page reads once when hints begin, and once for the verdict; polling reads more than once a second.
  const most = 4 + (2 * (Date.now() - before.ms)) / LIVE_POLL_MS
  expect(counted.reads - before.reads).toBeLessThanOrEqual(most)
  await page.close()
  await expect.poll(() => counted.sockets).toBe(1)
})

test('a socket that no page wants any more is closed, and no other is opened', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'admin')
  await page.clock.install()
  const sockets: WebSocketRoute[] = []
  let closed = 0
  await page.routeWebSocket('**/api/live', (socket) => {
    sockets.push(socket)
    socket.onClose(() => {
      closed += 1
    })
    socket.connectToServer()
  })
  await page.goto(`/course/${COURSE}/problems`)
  await expect.poll(() => sockets.length).toBe(1)
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await page.waitForURL((url) => url.pathname === '/')
  expect(closed).toBe(0)
  await page.clock.fastForward(20_000)
  await expect.poll(() => closed).toBe(1)
  await page.clock.fastForward(10 * LIVE.reconnectMs.first)
  expect(sockets).toHaveLength(1)
})

test('a verdict shows where a proxy lets no socket through', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'admin')
  await page.routeWebSocket('**/api/live', (socket) => socket.close())
  const shown = await open(page, await submit('behind a proxy'))
  await shown.judged()
})

test('a page whose socket gave way to those of twenty other tabs opens no other, and polls', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'admin')
  let opened = 0
  await page.routeWebSocket('**/api/live', (socket) => {
    opened += 1
    void socket.close({ code: LIVE_CLOSE.replaced })
  })
  await runner.stop()
  const counted = counts(page.context())
  const shown = await open(page, await submit('replaced'))
  await expect.poll(() => opened).toBe(1)
  // By then a closed socket would have been replaced.
  const lateMs = Date.now() + 3 * LIVE.reconnectMs.first
  await expect.poll(() => Date.now() > lateMs && counted.reads >= 6).toBe(true)
  await runner.start()
  await shown.judged()
  expect(opened).toBe(1)
})

test('a page whose server was gone for a moment shows the verdict', async () => {
  const page = await newVisitor(stack.url, { refused: [/net::ERR_/, /50\d/] })
  await enter(page, 'admin')
  const shown = await open(page, await submit('restart'))
  await stack.killWorker()
  await stack.startWorker()
  await shown.judged()
})

/** The teacher of the demo's course writes an announcement. */
async function announce(title: string): Promise<void> {
  const teacher = await clientOf(stack.url, 'teacher')
  await teacher.call('POST', '/ann', announcementCreated, {
    json: { courseName: 'Demo', title, markdown: 'Numbers begin at 1.' },
  })
}

test('an announcement shows at once above the page that is open, until it is read or closed', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'student4')
  await markOpenSocket(page)
  await page.addInitScript(() => localStorage.setItem('editor-settings', '{"plain":true}'))
  await page.goto('/course/Demo/problem/1/submit')
  await page.locator('html[data-socket=open]').waitFor()
  const code = page.getByRole('textbox', { name: 'Source code' })
  await code.fill('print(3)')
  await announce('A correction')
  const first = page.getByRole('link', { name: 'New announcement in Demo: A correction' })
  await first.waitFor()
  expect(await axeFaults(page)).toEqual([])
  await announce('Another one')
  await page.getByRole('button', { name: /^Close: .* Another one$/ }).click()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  await first.click()
  await page.getByRole('heading', { name: 'A correction' }).waitFor()
  await page.getByText('Numbers begin at 1.').waitFor()
  await expect.poll(() => page.getByRole('link', { name: /^New announcement/ }).count()).toBe(0)
  await page.goBack()
  expect(await code.inputValue()).toBe('print(3)')
})

test('an announcement that came while hints did not shows once they come again, and after a look elsewhere', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'student4')
  const sockets: WebSocketRoute[] = []
  let isCut = false
  await page.routeWebSocket('**/api/live', (socket) => {
    sockets.push(socket)
    if (isCut) void socket.close()
    else socket.connectToServer()
  })
  await page.goto('/course/Demo/problem/1')
  await expect.poll(() => sockets.length).toBe(1)
  const newsOf = (title: string) =>
    page.getByRole('link', { name: `New announcement in Demo: ${title}` })
  await announce('Heard')
  await newsOf('Heard').waitFor()
  isCut = true
  await sockets[0]?.close()
  await announce('Missed')
  await expect.poll(() => sockets.length).toBeGreaterThan(1)
  const news = newsOf('Missed')
  expect(await news.count()).toBe(0)
  isCut = false
  await news.waitFor()
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.goBack()
  await news.waitFor()
})
