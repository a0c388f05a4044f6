import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Updates } from '../../../runner/host/updates.ts'

const OWN = 'a'.repeat(64)
const OTHER = 'b'.repeat(64)

let stateDir = ''
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'updates-'))
})
afterEach(() => rm(stateDir, { recursive: true, force: true }))

function updates(directory = `/var/lib/coursejudge/packs/${OWN}`) {
  const events: string[] = []
  return { events, subject: new Updates(stateDir, (event) => events.push(event), directory) }
}

it('an installed runner ends for another package, once an hour', async () => {
  const first = updates()
  expect(first.subject.offer(OWN)).toBe(false)
  expect(first.subject.begin()).toBe(false)
  expect(first.subject.offer(OTHER)).toBe(true)
  expect(first.subject.begin()).toBe(true)
  expect(first.events).toEqual(['updating'])
  // The service could not fetch the package, and starts the same runner again.
  const again = updates()
  expect(again.subject.offer(OTHER)).toBe(false)
  expect(again.subject.begin()).toBe(false)
  const old = new Date(Date.now() - 3_601_000)
  await utimes(join(stateDir, 'updated'), old, old)
  expect(again.subject.offer(OTHER)).toBe(true)
  // A clock that was set back delays the next attempt by an hour at most.
  const ahead = new Date(Date.now() + 3_601_000)
  await utimes(join(stateDir, 'updated'), ahead, ahead)
  expect(again.subject.offer(OTHER)).toBe(true)
  const recent = new Date(Date.now() - 3_590_000)
  await utimes(join(stateDir, 'updated'), recent, recent)
  expect(again.subject.offer(OTHER)).toBe(false)
})

it('a server that publishes none, or the same one again, is no reason to end', () => {
  const { subject } = updates()
  expect(subject.offer(undefined)).toBe(false)
  subject.offer(OTHER)
  subject.offer(OWN)
  expect(subject.begin()).toBe(false)
})

it('a runner that was not installed from a package never ends for one', () => {
  const { subject } = updates('/opt/coursejudge/runner/host')
  expect(subject.offer(OTHER)).toBe(false)
})

it('it goes on where the end cannot be written down, for it would end again and again', async () => {
  const { subject, events } = updates()
  expect(subject.offer(OTHER)).toBe(true)
  await rm(stateDir, { recursive: true })
  expect(subject.begin()).toBe(false)
  expect(events).toEqual(['update_failed'])
})
