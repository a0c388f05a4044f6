/** The form of a problem on a screen: which parts stay in sight, which need a press, and lists that nothing cuts off. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { enter, newVisitor } from '../support/browser.ts'
import { sentBy } from '../support/forms.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'

let stack: TestStack

beforeAll(async () => {
  stack = await startTestStack({ demo: true, runners: 0 })
})

/** Opens a page of the app as the teacher. */
async function open(path: string): Promise<Page> {
  const page = await newVisitor(stack.url)
  await enter(page, 'teacher')
  await page.goto(path)
  return page
}

test('saving stays in sight from the first part of the form to the last, each a press away', async () => {
  const page = await open(`${COURSE}/problem/new`)
  await page.getByLabel('Problem name').waitFor()
  const isSaveInView = () =>
    page.getByRole('button', { name: 'Save' }).evaluate((button) => {
      const { top, bottom } = button.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })
  expect(await isSaveInView()).toBe(true)
  const parts = page.getByRole('navigation', { name: 'Parts of the form' })
  for (const part of ['How outputs are compared', 'Statement']) {
    await parts.getByRole('button', { name: part }).click()
    const heading = page.getByRole('heading', { name: part, exact: true })
    expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await isSaveInView()).toBe(true)
  }
})

test('a problem is copied into the course that was chosen, from a list that the dialog does not cut', async () => {
  const teacher = await clientOf(stack.url, 'teacher')
  for (const number of [1, 2, 3, 4, 5, 6])
    await teacher.call('POST', '/course', z.unknown(), {
      json: { course: `Copies ${number}`, teacher: 'teacher' },
    })
  const page = await open(`${COURSE}/problem/2`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Copy to a course' }).click()
  await page.getByRole('combobox', { name: 'Course' }).click()
  const options = page.getByRole('listbox').getByRole('option')
  await options.filter({ hasText: 'Copies 6' }).waitFor()
  const cut = await options.evaluateAll((list) =>
    list
      .filter((option) => {
        const { x, y, width, height } = option.getBoundingClientRect()
        return !option.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      })
      .map((option) => option.textContent),
  )
  expect(cut).toEqual([])
  await page.getByRole('option', { name: 'Copies 6' }).click()
  expect(await sentBy(page, 'POST /problem/2/copy', 'Copy')).toEqual({ course: 'Copies 6' })
})
