/** A student's evening on one problem: compile error, wrong answer, a run of the samples, accepted. */
import { beforeAll, expect, test } from 'vitest'
import { enter, newVisitor } from '../support/browser.ts'
import { visitorBy, WAYS } from '../support/hands.ts'
import { noteSaid } from '../support/live-regions.ts'
import { sharedJudge } from '../support/stack.ts'
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
    await hands.press('Show the output of subtask 0, case 0')
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
    // Each verdict and each run is told once, whatever else the page shows of them.
    // A sample that is right is called Accepted, too: the last verdict may still be under way.
    const verdicts = async () => (await said()).filter((text) => text.startsWith('Verdict: '))
    await expect.poll(verdicts).toHaveLength(3)
    const spoken = await said()
    expect(spoken.filter((text) => text.includes('samples are right'))).toHaveLength(1)
    const steps = spoken.filter((text) => !/^Verdict: |samples are right/.test(text))
    expect(steps.filter((text) => /\d/.test(text))).toEqual([])
  },
)

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
  // The program has run by now. While it waits, the same program is the same run.
  const body = await started.text()
  await page.route('**/problem/1/run', (route) =>
    route.fulfill({ body, contentType: 'application/json' }),
  )
  await page.getByText('That did not work').waitFor()
  isDown = false
  await button.click()
  await page.getByText('All 2 samples are right.').waitFor()
})
