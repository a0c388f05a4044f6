import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

test('the operator’s page explains every event that a runner logs', async () => {
  const page = await readFile(join(ROOT, 'docs/operating-runners.md'), 'utf8')
  const inside = await readdir(join(ROOT, 'runner'), { recursive: true })
  const files = inside.filter((name) => name.endsWith('.ts'))
  const events = new Set<string>()
  for (const name of files) {
    const text = await readFile(join(ROOT, 'runner', name), 'utf8')
    for (const [, event] of text.matchAll(/(?:\blog|forget)\((?:id, )?'([a-z_]+)'/g))
      if (event !== undefined) events.add(event)
  }
  expect(events.size).toBeGreaterThan(20)
  expect([...events].filter((event) => !page.includes(`\`${event}\``))).toEqual([])
})
