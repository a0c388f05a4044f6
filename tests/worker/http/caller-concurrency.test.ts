/** Calls of one caller with large and small bodies. */
import { Hono } from 'hono'
import { expect, test, vi } from 'vitest'
import type { AppEnv } from '../../../worker/env.ts'
import { READING } from '../../../worker/http/body.ts'
import { limitCallerConcurrency } from '../../../worker/http/caller-concurrency.ts'
import { CONCURRENCY } from '../../../worker/lib/concurrency.ts'

test('of large bodies one is read at a time, and those that wait take no place from small ones', async () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const app = new Hono<AppEnv>().post('/api/problem/:id/run', async (c) => {
    await limitCallerConcurrency(c, 'a person', async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      begun.push(c.req.param('id'))
      ends.push(resolve)
      await promise
    })
    return c.body(null)
  })
  const post = (name: string, length: number) =>
    app.request(`/api/problem/${name}/run`, {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Length': String(length) },
    })
  const { largeBytes } = READING
  const larges = Array.from({ length: CONCURRENCY.perCaller + 1 }, (_, index) =>
    post(`large ${index}`, largeBytes + 1),
  )
  const smalls = Array.from({ length: CONCURRENCY.perCaller - 1 }, () => post('small', largeBytes))
  await vi.waitFor(() => expect(begun).toHaveLength(CONCURRENCY.perCaller))
  expect(begun.toSorted()).toEqual(['large 0', ...smalls.map(() => 'small')])
  for (let index = 0; index < larges.length; index += 1) {
    for (const end of ends) end()
    const next = CONCURRENCY.perCaller + index
    if (next < larges.length + smalls.length)
      await vi.waitFor(() => expect(begun[next]).toBe(`large ${index + 1}`))
  }
  await Promise.all([...larges, ...smalls])
})
