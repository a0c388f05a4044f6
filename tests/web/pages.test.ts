import type { RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { DEMO_PAGES } from '../../scripts/demo/pages.ts'
import { PAGES } from '../../web/pages.ts'
import { routes } from '../../web/router.tsx'

/** Every address pattern of the router. */
function patternsOf(list: readonly RouteObject[], above = ''): string[] {
  return list.flatMap(({ path = above, children }) =>
    children ? patternsOf(children, path) : [path],
  )
}

test('scripts/demo/pages.ts says of every route of the router who may see it', () => {
  expect(DEMO_PAGES.map(({ route }) => route).toSorted()).toEqual(patternsOf(routes).toSorted())
})

test('every page file has its address in web/pages.ts, and exports its page alone', () => {
  const sources = import.meta.glob<string>('../../web/features/*/*-page.tsx', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const named = Object.values(PAGES).map(([, file]) => `../../web/features/${file}.tsx`)
  expect(new Set(Object.keys(sources))).toEqual(new Set(named))
  for (const [file, text] of Object.entries(sources))
    expect(text.match(/^export .*/gm), file).toEqual([
      expect.stringMatching(/^export function \w+Page\(\) \{/),
    ])
})
