/** Reading other people's texts changes nothing and tells nobody: their images and links make no calls. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { submissionDetail } from '#contract/submissions'
import { browserOfFile, enter, newVisitor } from '../support/browser.ts'
import { readUnharmed, SCREENS } from '../support/hostile-reading.ts'
import { plantHostileTexts, type HostileJudge } from '../support/hostile-texts.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

let stack: TestStack
let judge: HostileJudge

beforeAll(async () => {
  stack = await startTestStack({ demo: true, runners: 0 })
  judge = await plantHostileTexts(stack.url, stack.url)
})

test.each(SCREENS)(
  'staff read hostile texts on %s, and nothing comes of it',
  async (_, viewport) => {
    await readUnharmed(stack.url, stack.url, judge, { viewport })
  },
)

/** Adds an image to a page, as if a text had got past every filter; ends when the image has failed. */
async function showImage(page: Page, src: string): Promise<void> {
  await page.evaluate(async (address) => {
    const image = new Image()
    const failed = new Promise((resolve) => image.addEventListener('error', resolve))
    image.src = address
    document.body.append(image)
    await failed
  }, src)
}

/** Adds such a link to a page and follows it, or downloads from it. */
async function clickLink(page: Page, href: string, downloads: boolean): Promise<void> {
  await page.evaluate(
    ([address, isDownload]) => {
      const link = document.createElement('a')
      link.href = address
      if (isDownload) link.download = ''
      document.body.append(link)
      link.click()
    },
    [href, downloads] as const,
  )
}

test('the API refuses an image, a link and a download of the app’s own pages', async () => {
  const teacher = await clientOf(stack.url, 'teacher')
  const path = `/submission/${judge.submissionId}`
  const before = await teacher.call('GET', path, submissionDetail)
  const page = await newVisitor(stack.url, { refused: [/^403 \/api\//] })
  await enter(page, 'ta')
  for (const call of [`/api${path}/rejudge`, '/api/auth/session']) {
    await page.goto('/')
    await page.getByText('Welcome, ').waitFor()
    const answered = page.waitForResponse((response) => response.url().endsWith(call))
    await showImage(page, call)
    expect((await answered).status()).toBe(403)
    const download = page.waitForEvent('download')
    await clickLink(page, call, true)
    expect(await (await download).failure()).not.toBeNull()
    const opened = page.waitForResponse((response) => response.url().endsWith(call))
    await clickLink(page, call, false)
    expect(await (await opened).json()).toMatchObject({ code: 'unsafe_get' })
    await page.waitForURL(`**${call}`)
  }
  expect((await teacher.call('GET', path, submissionDetail)).judgements).toEqual(before.judgements)
  await page.goto('/')
  await page.getByText('Welcome, ').waitFor()
})

test('an image from elsewhere that got into a page would not be loaded', async () => {
  const { foreignImage, foreignRequests } = judge
  // A bare page, because a visitor fails at a request to another host.
  const browser = await browserOfFile()
  const page = await browser.newPage({ baseURL: stack.url })
  await page.goto('/')
  await showImage(page, foreignImage)
  expect(foreignRequests).toEqual([])
  // The image loads at its own address.
  await page.goto(foreignImage)
  expect(foreignRequests).toContain('/cat.png')
  await page.close()
})
