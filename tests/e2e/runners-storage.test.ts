/** An admin's dashboard: judge hosts, their slots, and a storage that refuses to delete. */
import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { runnerList } from '#contract/judging/runners'
import { storageStatus } from '#contract/installation/storage'
import { signIn } from '../../scripts/test/browser.ts'
import { axeFaults, fitsScreen } from '../support/axe.ts'
import { answer, enter, newVisitor, untilFocused } from '../support/browser.ts'
import { changeDatabase } from '../support/changed-database.ts'
import { eventually } from '../support/eventually.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

/** A judge host that is just slow enough for the dashboard to say so. */
const SLOW_HOST = {
  hostname: 'old-box',
  kernel: 'Linux 6.1',
  cpu: '',
  cores: 2,
  memoryKb: 4_000_000,
  cgroup: 'v2',
  calibrationMs: 131,
}

let stack: TestStack

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
})

test('an admin drains a judge host and adds another; others are told that this is not for them', async () => {
  const page = await newVisitor(stack.url)
  await signIn(page, 'admin')
  await page.getByRole('link', { name: 'Administration' }).click()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await page.getByRole('button', { name: /^Drain / }).click()
  await page.getByText('Draining').waitFor()
  await page.getByRole('button', { name: /^Activate / }).click()
  await page.getByText('At work', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add judge host' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('lab-7')
  await dialog.getByRole('button', { name: 'Add judge host' }).click()
  const line = await dialog.getByText(/^curl -fsS http/).innerText()
  const sum = await fetch(`${stack.url}/runner/install.sh`).then(async (answer) =>
    createHash('sha256')
      .update(await answer.bytes())
      .digest('hex'),
  )
  expect(line).toContain(`echo '${sum}  install.sh' | sha256sum -c - && printf`)
  await dialog.getByText(/^#cloud-config/).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText('Never heard from').waitFor()
  const token = /RUNNER_TOKEN=([^']+)/.exec(line)?.[1]
  const beat = await page.request.post('/api/runner/heartbeat', {
    headers: { Authorization: `Bearer ${token}` },
    data: { active: [], slots: 1, free: 0, load: 0, host: SLOW_HOST },
  })
  expect(beat.status()).toBe(200)
  await page.reload()
  await page.getByText('speed test 131 ms (reference 100 ms)').waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'lab-7' })
    .getByText('Slow host: programs close to a time limit')
    .waitFor()
  await page.getByRole('button', { name: 'Remove lab-7' }).click()
  await answer(page, 'Remove lab-7?', 'Remove')
  await page.getByText('lab-7').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('cell', { name: 'runner.delete' }).waitFor()
  // The app reopens the page that was last open.
  await page.goto('/')
  await page.getByRole('link', { name: 'Administration' }).click()
  await page.getByRole('heading', { name: 'Audit log' }).waitFor()
  expect(page.url()).toBe(`${stack.url}/admin/audit`)
  const teacher = await newVisitor(stack.url)
  await signIn(teacher, 'teacher')
  expect(await teacher.getByRole('link', { name: 'Administration' }).count()).toBe(0)
  await teacher.goto('/admin/user')
  await teacher.getByRole('heading', { name: 'This account has no access' }).waitFor()
})

test('the slots of a judge host are limited in a dialog that names the range and what went wrong', async () => {
  const page = await newVisitor(stack.url, { refused: [/^40\d \/api\/runners\//] })
  await enter(page, 'admin')
  await page.goto('/admin/dashboard')
  const open = page.getByRole('button', { name: /^Limit slots of / })
  await open.click()
  const dialog = page.getByRole('dialog', { name: /^Limit slots of / })
  const field = dialog.getByLabel('Slots at most')
  await untilFocused(page, /^Slots at most/)
  await dialog.getByText('judge at once, from 1 to 256').waitFor()
  for (const bad of ['0', '257', '1.5', '']) {
    await field.fill(bad)
    await page.keyboard.press('Enter')
    await dialog.getByText('The value must be between 1 and 256').waitFor()
    await untilFocused(page, /^Slots at most/)
    await field.fill('1')
  }
  expect(await axeFaults(page)).toEqual([])
  // Escape asks before it drops typed text.
  await page.keyboard.press('Escape')
  await answer(page, 'Close this window?', 'Cancel')
  await untilFocused(page, /^Slots at most/)
  // Another admin changes the host first.
  const admin = await clientOf(stack.url, 'admin')
  const [host] = await admin.call('GET', '/runners', runnerList)
  if (host === undefined) throw new Error('the stack has a judge host')
  await admin.call('PATCH', `/runners/${host.runnerId}`, z.unknown(), { json: { slotLimit: 7 } })
  // The list behind the dialog learns of the change before the form is sent.
  const poll = await page.waitForRequest(
    (call) => call.method() === 'GET' && call.url().endsWith('/api/runners'),
  )
  await poll.response()
  await field.fill('2')
  await page.keyboard.press('Enter')
  await dialog.getByText('Someone else has changed this since you opened it.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(page, /^Limit slots of /)
  await page.reload()
  await open.click()
  expect(await field.inputValue()).toBe('7')
  await field.fill('2')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const [changed] = await admin.call('GET', '/runners', runnerList)
  expect(changed?.slotLimit).toBe(2)
})

test('the dashboard says that nothing is deleted and why, until an admin confirms', async () => {
  const admin = await clientOf(stack.url, 'admin')
  const stateOf = async () => (await admin.call('GET', '/storage', storageStatus)).state
  await stack.runCron()
  await expect.poll(stateOf).toBe('ok')
  const page = await newVisitor(stack.url)
  await enter(page, 'admin')
  await page.goto('/admin/dashboard')
  await page.getByText('At work').first().waitFor()
  const notice = page.getByRole('alert').filter({ hasText: 'Deletion from the storage is paused' })
  expect(await notice.count()).toBe(0)

  // The database now claims to be that of another installation.
  changeDatabase(stack.stateDir, "update installation set token = 'of another installation'")
  await stack.runCron()
  await expect.poll(stateOf).toBe('mismatch')
  await page.reload()
  await notice.getByText('have different installation ids').waitFor()
  expect(await axeFaults(page)).toEqual([])
  expect(await fitsScreen(page)).toBe(true)
  const confirm = notice.getByRole('button', { name: 'Database and bucket belong together' })
  const question = 'Do database and bucket belong together?'
  await confirm.click()
  await answer(page, question, 'Cancel')
  expect(await stateOf()).toBe('mismatch')
  await confirm.click()
  await answer(page, question, 'They belong together')
  await notice.waitFor({ state: 'detached' })
  await stack.runCron()
  expect(await stateOf()).toBe('ok')

  const held = JSON.stringify({ prefix: 'outputs/', orphans: 30, objects: 200 })
  changeDatabase(stack.stateDir, `update installation set state = 'held', held = '${held}'`)
  await page.reload()
  await notice.getByText('30 of 200 objects with the prefix').waitFor()
  // The button ends inside the notice even on the narrowest phone.
  await page.setViewportSize({ width: 320, height: 700 })
  await eventually(async () => {
    const [frame, button] = await Promise.all([
      notice.boundingBox(),
      notice.getByRole('button').boundingBox(),
    ])
    if (!frame || !button) throw new Error('not drawn yet')
    expect(button.x + button.width).toBeLessThanOrEqual(frame.x + frame.width - 12)
  })
  await notice.getByRole('button', { name: 'Delete the unknown objects' }).click()
  await page.getByText('Deleted objects cannot be restored.').waitFor()
  await answer(page, 'Delete these objects?', 'Delete')
  await notice.waitFor({ state: 'detached' })
  expect(await stateOf()).toBe('ok')
})
