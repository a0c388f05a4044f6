/** An admin's view of alarms: the dashboard shows lasting ones, the set-up page shows whether mails arrive. */
import { expect, test } from 'vitest'
import { alarmState } from '#contract/installation/alarms'
import { Alarms } from '../../web/features/admin/alarms.tsx'
import { alarmsQuery } from '../../web/features/admin/api.ts'
import { SetupList } from '../../web/features/setup/setup-list.tsx'
import { controlsOf, itemsOf, render, textOf } from './fixtures/rendered.tsx'

const THREE_DAYS_AGO = Math.floor(Date.now() / 1_000) - 3 * 86_400 - 3_600

const listOf = (...states: string[]) => {
  const alarms = states.map((state) => ({ state, since: THREE_DAYS_AGO }))
  return textOf(render(<Alarms />, { reads: [[alarmsQuery, alarms]] }))
}

test('the dashboard lists what lasts, with what to do and since when', () => {
  expect(listOf()).toBe('')
  expect(listOf('no_backup')).toMatch(
    /^The last backup is too old Run “npm run backup”.* Since: 3 days ago$/,
  )
  expect(listOf('mails_failing', 'old_host')).toMatch(/^Mails are refused .* A judge host runs an/)
})

test('a state has one notice: those of storage and database have theirs elsewhere on the page', () => {
  const others = alarmState.options.filter((state) => !/^(storage|database)_/.test(state))
  for (const state of alarmState.options)
    expect([state, listOf(state) === '']).toEqual([state, !others.includes(state)])
})

test('the set-up page names both settings, and tests the alarms once one is there', () => {
  const lacks = (['ALARM_WEBHOOK_URL', 'ALARM_EMAIL'] as const).map((name) => ({
    name,
    fault: 'missing' as const,
    fix: '',
  }))
  const item = { item: 'alarms', state: 'open', at: null } as const
  const open = render(<SetupList items={[{ ...item, lacks }]} />)
  expect(itemsOf(open)[0]).toMatch(
    /^Alarms to the operator Optional .* Set ALARM_WEBHOOK_URL to .* Set ALARM_EMAIL to .* Send a test$/,
  )
  expect(controlsOf(open)).toEqual({ 'Send a test': undefined })
  expect(open).toMatch(/<button[^>]*disabled=""/)
  const ready = render(<SetupList items={[{ ...item, lacks: [] }]} />)
  expect(ready).not.toMatch(/<button[^>]*disabled=""/)
})
