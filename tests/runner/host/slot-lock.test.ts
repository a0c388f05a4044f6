import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lockSlots, SlotsTakenError } from '../../../runner/host/slot-lock.ts'

const MODULE = JSON.stringify(join(import.meta.dirname, '../../../runner/host/slot-lock.ts'))

/** Another process that locks slots, collects garbage, and stays. */
async function holder(wanted: number | null, count: number) {
  const program = `
    import { lockSlots } from ${MODULE}
    const first = await lockSlots(${wanted}, ${count})
    gc()
    setTimeout(() => console.log(first), 50)
    setInterval(() => {}, 1000)
  `
  const args = ['--expose-gc', '--input-type=module', '-e', program]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = await once(child.stdout, 'data')
  return { child, first: Number(String(said)) }
}

it('slots are one process’s until that is gone, however it ends', async () => {
  // High numbers, because other tests' runners take the first free slots.
  const { child, first } = await holder(101 + (process.pid % 40), 3)
  await expect(lockSlots(first + 2, 1)).rejects.toThrow(SlotsTakenError)
  const setting = `RUNNER_FIRST_SLOT is ${first}, but slot ${first} of this machine is another runner's`
  await expect(lockSlots(first, 2)).rejects.toThrow(setting)
  // If one of several slots is taken, none of them stays locked.
  await expect(lockSlots(first - 1, 2)).rejects.toThrow(`slot ${first} of this machine`)
  const { child: neighbour } = await holder(first - 1, 1)
  for (const each of [child, neighbour]) {
    each.kill('SIGKILL')
    await once(each, 'exit')
  }
  expect(await lockSlots(first, 3)).toBe(first)
})

it('who takes what is free gets slots side by side, and none that others have', async () => {
  const holders = await Promise.all([holder(null, 2), holder(null, 1), holder(null, 2)])
  try {
    const slots = holders.flatMap(({ first }, n) => (n === 1 ? [first] : [first, first + 1]))
    expect(new Set(slots).size).toBe(5)
  } finally {
    for (const { child } of holders) child.kill('SIGKILL')
  }
})

it('more slots than the machine has are refused by the setting’s name', async () => {
  await expect(lockSlots(null, 150 + 1)).rejects.toThrow(/^RUNNER_SLOTS is 151, but/)
})
