/** Writes due times as a calendar (RFC 5545). Its text changes only with a homework or one’s own due time, so that its ETag stays. */
import ical from 'ical-generator'
import { PRODUCT_NAME } from '#contract/product'
import type { DueTime } from './queries.ts'

/** The calendar of due times. @param origin of the web app, for links to the homeworks */
export function calendarOf(dueTimes: readonly DueTime[], origin: string): string {
  const calendar = ical({
    name: PRODUCT_NAME,
    prodId: { company: PRODUCT_NAME, product: 'due times', language: 'EN' },
  })
  for (const { id, name, course, due, updatedAt } of dueTimes)
    calendar.createEvent({
      id: `${id}@${new URL(origin).host}`,
      stamp: new Date(updatedAt * 1000),
      start: new Date(due * 1000),
      summary: `${name} (${course})`,
      url: `${origin}/course/${encodeURIComponent(course)}/homeworks#homework-${id}`,
    })
  return calendar.toString()
}
