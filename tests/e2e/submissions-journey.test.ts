/** A student's evening on one problem: a compile error, a wrong answer, a run of the samples, and an accepted program. */
import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { submissionCreated } from '#contract/submissions'
import { enter, newVisitor } from '../support/browser.ts'
import { visitorBy, WAYS } from '../support/hands.ts'
import { noteSaid } from '../support/live-regions.ts'
import { clientOf, sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'

let judge: SharedJudge

beforeAll(async () => {
  judge = await sharedJudge()
})

test.each(WAYS)(
  'from a compile error over a wrong answer and a sample run to an accepted one in twelve actions: by $by, $on',
  async (way) => {
    const hands = await visitorBy(judge.url, way, 'student3')
    const { page } = hands
    const said = await noteSaid(page)
    await page.goto('/course/Demo/problem/1')
    await page.getByRole('heading', { name: /^#1 / }).waitFor()
    const verdict = (name: string) => page.getByText(name).first().waitFor()

    async function write(code: string) {
      await page.locator('.cm-editor').waitFor()
      await hands.write(page.getByRole('textbox', { name: 'Source code' }), code)
    }
    const submit = () => hands.shortcut('ControlOrMeta+Enter', 'Submit')

    await hands.open('Submit')
    await hands.choose(page.getByRole('main').getByLabel('Language'), 'Python 3')
    await write('print(')
    await submit()
    await verdict('Compile Error')
    await hands.open('Edit and submit again')
    await write('print(0)')
    await submit()
    await verdict('Wrong Answer')
    await page
      .getByRole('figure')
      .filter({ hasText: /^Input/ })
      .waitFor()
    await page.getByText('The first difference is in line 1.').waitFor()
    await hands.open('Edit and submit again')
    await write('print(sum(map(int, input().split())))')
    await hands.shortcut("ControlOrMeta+'", 'Run samples')
    await page.getByText('All 2 samples are right.').waitFor()
    await submit()
    await verdict('Accepted')
    expect(hands.actions).toBeLessThanOrEqual(12)
    // Screen readers hear each verdict and each run once, whatever else the page shows of them.
    // A right sample is called Accepted, too, while the last verdict may still be under way.
    const verdicts = async () => (await said()).filter((text) => text.startsWith('Verdict: '))
    await expect.poll(verdicts).toHaveLength(3)
    const spoken = await said()
    expect(spoken.filter((text) => text.includes('samples are right'))).toHaveLength(1)
    const steps = spoken.filter((text) => !/^Verdict: |samples are right/.test(text))
    expect(steps.filter((text) => /\d/.test(text))).toEqual([])
  },
)

/** Whether an element is wholly on the screen and not covered. */
function isInView(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const isShown = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
  const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  return isShown && shown !== null && (element.contains(shown) || shown.contains(element))
}

test.each([
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
  { width: 390, height: 844 },
])(
  'at $width × $height the result of a run, its warning and the buttons are in view without scrolling',
  async (viewport) => {
    const page = await newVisitor(judge.url, { viewport })
    await enter(page, 'student3')
    await page.goto('/course/Demo/problem/1/submit')
    const inView = async (of: Locator) => {
      await of.waitFor()
      await expect.poll(() => of.evaluate(isInView)).toBe(true)
    }
    const write = async (code: string) => {
      await page.locator('.cm-editor').waitFor()
      await page.getByRole('textbox', { name: 'Source code' }).click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(code)
    }
    const main = page.getByRole('main')
    await main.getByLabel('Language').selectOption({ label: 'Python 3' })
    await write('print(3)')
    await page.keyboard.press("ControlOrMeta+'")
    await inView(page.getByText('1 of 2 samples are not right.'))
    // Sample 1 is right, so the page opens sample 2.
    await inView(page.getByRole('figure', { name: 'Expected output' }).locator('mark'))
    await inView(page.getByRole('figure', { name: 'Output of the program' }).locator('mark'))
    await page.keyboard.press('ControlOrMeta+Enter')
    await inView(page.getByText('You can submit it anyway.'))
    await inView(page.getByRole('button', { name: 'Submit anyway' }))
    await main.getByLabel('Language').selectOption({ label: 'C' })
    await write('int main() {\n  return x;\n}')
    await page.keyboard.press("ControlOrMeta+'")
    const place = page.getByRole('button', { name: 'main.c:2:10' }).first()
    await inView(place)
    await place.click()
    await page.keyboard.insertText('/* here */')
    await page.locator('.cm-line').nth(1).getByText('/* here */  return x;').waitFor()
    await inView(page.getByRole('button', { name: 'Run samples' }))
    expect(await page.evaluate(() => scrollY)).toBe(0)
  },
)

const SIZES = [
  { on: 'wide', viewport: { width: 1366, height: 768 } },
  { on: 'wide', viewport: { width: 1920, height: 1080 } },
  { on: 'phone', viewport: { width: 390, height: 844 } },
] as const

test.each(
  SIZES.flatMap((size) => [
    { ...size, by: 'keys' as const },
    { ...size, by: 'pointer' as const },
  ]),
)(
  'from samples that do not compile over wrong ones to Accepted in twelve actions and no scroll: by $by at $viewport.width',
  async ({ viewport, ...way }) => {
    // Two people, because runs are limited by person.
    const person = way.by === 'keys' ? 'student2' : 'student3'
    const hands = await visitorBy(judge.url, way, person, { viewport })
    const { page } = hands
    await page.goto('/course/Demo/problem/1/submit')
    await page.locator('.cm-editor').waitFor()
    let scrolls = 0
    await page.exposeFunction('noteScroll', () => (scrolls += 1))
    await page.evaluate('addEventListener("scroll", noteScroll)')
    const write = (code: string) =>
      hands.write(page.getByRole('textbox', { name: 'Source code' }), code)
    const run = () => hands.shortcut("ControlOrMeta+'", 'Run samples')

    await hands.choose(page.getByRole('main').getByLabel('Language'), 'Python 3')
    await write('print(')
    await run()
    await page.getByRole('figure', { name: 'Compile message' }).waitFor()
    await write('print(3)')
    await run()
    await page.getByText('1 of 2 samples are not right.').waitFor()
    await write('print(sum(map(int, input().split())))')
    await run()
    await page.getByText('All 2 samples are right.').waitFor()
    await hands.shortcut('ControlOrMeta+Enter', 'Submit')
    await page.waitForURL(/\/submission\/[0-9a-f]{24}$/)
    await page.getByText('Accepted').first().waitFor()
    expect(hands.actions).toBeLessThanOrEqual(12)
    expect(scrolls).toBe(0)
  },
)

test.each([
  { width: 390, height: 844 },
  { width: 195, height: 422 },
])('at $width × $height six lines of the program are on the first screen', async (viewport) => {
  const page = await newVisitor(judge.url, { viewport })
  await enter(page, 'student3')
  await page.goto('/course/Demo/problem/1/submit')
  await page.locator('.cm-editor').waitFor()
  const box = await page.locator('.cm-editor').boundingBox()
  const line = await page.locator('.cm-line').first().boundingBox()
  expect(
    Math.min(viewport.height, (box?.y ?? 0) + (box?.height ?? 0)) - (box?.y ?? 0),
  ).toBeGreaterThan(6 * (line?.height ?? 0))
})

test("the browser's own search finds any line of a long source", async () => {
  const api = await clientOf(judge.url, 'student3')
  const code = Array.from({ length: 1_000 }, (_, index) => `# thought ${index + 1} of many`).join(
    '\n',
  )
  const json = { problemId: 1, languageType: 2, code }
  const { submissionId } = await api.call('POST', '/submission', submissionCreated, { json })
  const page = await newVisitor(judge.url)
  await enter(page, 'student3')
  await page.goto(`/course/Demo/submission/${submissionId}`)
  await page.getByText('thought 1 of many').waitFor()
  const inPage = await page.getByRole('region', { name: 'Source code' }).innerText()
  expect(inPage.match(/thought \d+ of many/g)).toHaveLength(1_000)
})

test('the width of the statement is dragged by pointer or keys, and kept', async () => {
  const page = await newVisitor(judge.url)
  await enter(page, 'student3')
  await page.goto('/course/Demo/problem/1/submit')
  const handle = page.getByRole('separator', { name: 'Width of the statement' })
  const width = async () => (await page.locator('#statement').boundingBox())?.width ?? 0
  await handle.waitFor()
  const before = await width()
  await handle.focus()
  for (let steps = 0; steps < 5; steps += 1) await page.keyboard.press('ArrowRight')
  await expect.poll(width).toBeGreaterThan(before + 20)
  const wide = await width()
  await page.reload()
  await handle.waitFor()
  await expect.poll(async () => Math.abs((await width()) - wide)).toBeLessThan(2)
  const at = await handle.boundingBox()
  await page.mouse.move(at?.x ?? 0, (at?.y ?? 0) + 200)
  await page.mouse.down()
  await page.mouse.move((at?.x ?? 0) - 150, (at?.y ?? 0) + 200, { steps: 4 })
  await page.mouse.up()
  await expect.poll(width).toBeLessThan(wide - 100)
})

test('a run that could not be read is read by the next press, though it is the same run', async () => {
  const page = await newVisitor(judge.url, { refused: [/^500 \/api\/run\//] })
  await enter(page, 'student3')
  let isDown = true
  await page.route('**/api/run/*', (route) =>
    isDown
      ? route.fulfill({
          status: 500,
          json: { status: 'err', code: 'internal', message: '', data: null },
        })
      : route.fallback(),
  )
  await page.goto('/course/Demo/problem/1/submit')
  await page.getByRole('main').getByLabel('Language').selectOption({ label: 'Python 3' })
  await page
    .getByRole('textbox', { name: 'Source code' })
    .fill('print(sum(map(int, input().split())))')
  const button = page.getByRole('button', { name: 'Run samples' })
  const [started] = await Promise.all([page.waitForResponse('**/problem/1/run'), button.click()])
  // The program has run by now. As long as it waits, the same program gets the same run.
  const body = await started.text()
  await page.route('**/problem/1/run', (route) =>
    route.fulfill({ body, contentType: 'application/json' }),
  )
  await page.getByText('The action failed').waitFor()
  isDown = false
  await button.click()
  await page.getByText('All 2 samples are right.').waitFor()
})
