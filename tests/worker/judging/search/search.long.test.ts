/** The states of the judging protocol that five steps reach; `search.full.test.ts` covers all states. */
import { expect, test } from 'vitest'
import { Search } from './search.ts'

test('two runners and two submissions: whatever happens in five steps breaks no rule, and a healthy runner ends it [QF7]', async () => {
  const search = await Search.begin(20)
  const found = await search.explore(4)
  console.log(found)
  expect(found.unseen).toBeGreaterThan(0)
  expect(await search.healAll()).toBeGreaterThan(400)
})
