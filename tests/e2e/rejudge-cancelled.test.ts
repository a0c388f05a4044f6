/** A bulk rejudge that is cancelled on its page. */
import { expect, test } from 'vitest'
import * as z from 'zod'
import { runnerList } from '#contract/judging/runners'
import { submissionCreated, submissionDetail } from '#contract/submissions'
import { answer, enter, newVisitor } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { clientOf, startTestStack } from '../support/stack.ts'

test('what no host has begun keeps its verdict, and the page says so', async () => {
  const stack = await startTestStack({ demo: true, runners: 1 })
  const [admin, student] = await Promise.all([
    clientOf(stack.url, 'admin'),
    clientOf(stack.url, 'student'),
  ])
  const json = { problemId: 1, languageType: 2, code: 'print(0)' }
  const { submissionId } = await student.call('POST', '/submission', submissionCreated, { json })
  const statusNow = async () => {
    const { status } = await student.call('GET', `/submission/${submissionId}`, submissionDetail)
    return status
  }
  await eventually(async () => expect(await statusNow()).toBe(1))
  // From now on the host takes no jobs.
  const [host] = await admin.call('GET', '/runners', runnerList)
  const drained = { json: { state: 'draining' } }
  await admin.call('PATCH', `/runners/${host?.runnerId}`, z.unknown(), drained)

  const page = await newVisitor(stack.url)
  await enter(page, 'teacher')
  await page.goto('/course/Demo/problem/1')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Rejudge all' }).click()
  await page.getByRole('button', { name: 'Rejudge', exact: true }).click()
  await page.getByText('1 submission was queued for judging again.').waitFor()
  expect(await statusNow()).toBe(-1)

  // Of many submissions this takes a while.
  let isTakingBack = false
  await page.route(/\/cancel$/, async (route) => {
    isTakingBack = true
    await route.continue()
  })
  await page.route(/\/api\/jobs\/\w+$/, (route) => {
    const data = { state: 'running', done: 1, total: 1, waiting: 1, cancelled: true }
    return isTakingBack
      ? route.fulfill({ json: { status: 'ok', message: '', data } })
      : route.continue()
  })
  const focus = page.locator(':focus')
  await page.getByRole('button', { name: 'Cancel rejudging' }).press('Enter')
  await answer(page, 'Cancel rejudging?', 'Cancel rejudging')
  await focus.filter({ hasText: 'Cancelling: what no judge host has begun' }).waitFor()
  expect(await page.getByRole('progressbar').count()).toBe(0)
  isTakingBack = false
  await focus.filter({ hasText: 'Cancelled. 1 submission keeps its earlier verdict.' }).waitFor()
  expect(await statusNow()).toBe(1)
  expect(await page.getByRole('button', { name: 'Cancel rejudging' }).count()).toBe(0)
  await page.keyboard.press('Tab')
  expect(await focus.textContent()).toBe('See those that wait')
  await page.getByRole('button', { name: 'Dismiss' }).press('Enter')
  await page.locator('#main:focus').waitFor()
})
