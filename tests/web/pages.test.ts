import type { RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { DEMO_PAGES } from '../../scripts/demo/pages.ts'
import { routes } from '../../web/router.tsx'

/** Every address pattern of the router, from the root on. */
function patternsOf(list: readonly RouteObject[], above = ''): string[] {
  return list.flatMap(({ path, index, children }) => {
    const here = index ? above || '/' : `${above}/${path}`
    return children ? patternsOf(children, here) : [here]
  })
}

test('scripts/demo/pages.ts says of every route of the router who may see it', () => {
  expect(DEMO_PAGES.map(({ route }) => route).toSorted()).toEqual(patternsOf(routes).toSorted())
})
