/** This file is separate from the queries of dates, because the frame of a course loads it. */
import { refresh } from '../api/query-client.ts'

/** Reads again what dates, rules and points of a homework change; without an id what those of all homeworks change. */
export function refreshHomework(...homeworkId: [] | [string]): Promise<void> {
  return refresh(
    ['homework', ...homeworkId],
    ['homework-dates', ...homeworkId],
    ['board', ...homeworkId],
    ['late-days'],
    ['homeworks'],
    ['running-homeworks'],
    ['problem'],
    ['submission'],
    ['gradebook'],
  )
}
