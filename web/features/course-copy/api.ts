/** Calls about the course that comes back. */
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { homeworkDatesTable } from '#contract/homework-overrides'
import { homework } from '#contract/homeworks'
import { call } from '../../lib/api/call.ts'
import type { OldHomework } from './plan.ts'

async function labelDatesOf(id: string, signal: AbortSignal): Promise<OldHomework['labels']> {
  const { labels } = await call('GET /homework/:id/dates', {
    params: { id },
    signal,
    as: homeworkDatesTable,
  })
  return labels.map(({ label, override: { opens, due, closes } }) => ({
    label,
    opens,
    due,
    closes,
  }))
}

/** A course's homeworks, the first to open first, with the dates of labels. @param hasLabels without labels no such dates are read */
export function oldHomeworksQuery(course: string, hasLabels: boolean) {
  return queryOptions({
    queryKey: ['homeworks', course, 'with-labels', hasLabels],
    queryFn: async ({ signal }): Promise<OldHomework[]> => {
      const list = await call('GET /course/:name/homework', {
        params: { name: course },
        query: { progress: 'own' },
        signal,
        as: z.array(homework),
      })
      const read = await Promise.all(
        list.map(async ({ id, name, start, end, close }) => {
          const labels = hasLabels ? await labelDatesOf(id, signal) : []
          return { id, name, start, end, close, labels }
        }),
      )
      return read.toSorted((one, other) => one.start - other.start || one.end - other.end)
    },
    staleTime: 60_000,
  })
}
