/** The times that clocks show. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { instantOf, keepWallTimes, wallSecondsAt } from '#contract/wall-time'

const ZONES = [
  'UTC',
  'Asia/Taipei',
  'Asia/Kolkata',
  'America/New_York',
  'America/Havana',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
] as const

const zone = fc.constantFrom(...ZONES)
const from1970To9999 = fc.integer({ min: 0, max: 253_402_300_799 })
const thisCentury = fc.integer({ min: 1_700_000_000, max: 4_000_000_000 })

it('each instant is found again by what a clock shows, but for the second of two equal hours', () => {
  fc.assert(
    fc.property(from1970To9999, zone, (at, timeZone) => {
      const wall = wallSecondsAt(at, timeZone)
      const found = instantOf(wall, timeZone)
      expect(wallSecondsAt(found, timeZone)).toBe(wall)
      expect(found).toBeLessThanOrEqual(at)
    }),
  )
})

it.each([
  ['America/New_York', '2026-03-08T02:30', '2026-03-08T03:30'],
  ['America/Havana', '2026-03-08T00:00', '2026-03-08T01:00'],
  ['Europe/Berlin', '2026-03-29T02:00', '2026-03-29T03:00'],
  ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-04T02:45'],
  ['Pacific/Apia', '2011-12-30T10:00', '2011-12-31T10:00'],
])('a clock in %s that never shows %s shows %s then', (timeZone, never, shown) => {
  const secondsOf = (text: string) => Date.parse(`${text}Z`) / 1_000
  expect(wallSecondsAt(instantOf(secondsOf(never), timeZone), timeZone)).toBe(secondsOf(shown))
})

it('homeworks that keep their wall times end no sooner than they begin, and nothing past moves', () => {
  const times = fc.tuple(thisCentury, fc.integer({ min: 0, max: 30 * 86_400 }))
  fc.assert(
    fc.property(times, thisCentury, zone, zone, ([start, lasts], now, from, to) => {
      const moved = keepWallTimes({ start, end: start + lasts }, from, to, now)
      expect(moved.end).toBeGreaterThanOrEqual(moved.start)
      if (start < now) expect(moved.start).toBe(start)
      else expect(moved.start).toBeGreaterThanOrEqual(now)
      if (start + lasts < now) expect(moved.end).toBe(start + lasts)
      else expect(moved.end).toBeGreaterThanOrEqual(now)
    }),
  )
})

it('a homework of a course in UTC keeps 23:59 in Taipei, eight hours sooner', () => {
  const at = (text: string) => Date.parse(text) / 1_000
  const times = {
    start: at('2026-12-01T08:00:00Z'),
    end: at('2026-12-08T23:59:59Z'),
    close: at('2026-12-15T23:59:59Z'),
  }
  expect(keepWallTimes(times, 'UTC', 'Asia/Taipei', at('2026-11-01T00:00:00Z'))).toEqual({
    start: at('2026-12-01T08:00:00+08:00'),
    end: at('2026-12-08T23:59:59+08:00'),
    close: at('2026-12-15T23:59:59+08:00'),
  })
})

it('of an override only the times that are set move, and stay in order where the clock skips an hour', () => {
  const at = (text: string) => Date.parse(text) / 1_000
  const times = { opens: at('2026-03-08T02:40:00Z'), due: null, closes: at('2026-03-08T03:10:00Z') }
  const later = at('2026-03-08T03:40:00-04:00')
  expect(keepWallTimes(times, 'UTC', 'America/New_York', at('2026-01-01T00:00:00Z'))).toEqual({
    opens: later,
    due: null,
    closes: later,
  })
})
