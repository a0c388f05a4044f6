/** Every state of the judging protocol. */
import { expect, test } from 'vitest'
import { Search } from './search.ts'

// It takes five minutes on one core, or longer beside other work.
const MOST_MS = 5_400_000

test(
  'two runners and two submissions: whatever happens breaks no rule, and a healthy runner ends it [QF7]',
  { timeout: MOST_MS },
  async () => {
    const search = await Search.begin(100)
    const found = await search.explore()
    console.log(found)
    expect(found.unseen).toBe(0)
    // With fewer states, some event would no longer happen.
    expect(found.states).toBeGreaterThan(7_000)
    expect(await search.healAll()).toBe(found.states)
  },
)
