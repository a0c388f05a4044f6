import { describe, expect, it } from 'vitest'
import {
  coreOfSlot,
  orderCores,
  parseCpuList,
  physicalCores,
} from '../../../runner/sandbox/cores.ts'

/** A machine whose cores have these pairs of threads. */
function threads(...pairs: [number, number][]) {
  return (cpu: number) => pairs.find((pair) => pair.includes(cpu)) ?? null
}

describe('the cores', () => {
  it.each([
    ['0', [0]],
    ['0-3,8\n', [0, 1, 2, 3, 8]],
    [' 4-5,7', [4, 5, 7]],
  ])('of the list %j are %j', (text, numbers) => {
    expect(parseCpuList(text)).toEqual(numbers)
  })

  it('come one per core first where threads are numbered side by side', () => {
    const found = orderCores([0, 1, 2, 3], threads([0, 1], [2, 3]))
    expect(found).toEqual({ order: [0, 2, 1, 3], cores: 2 })
  })

  it('come one per core first where threads are half the machine apart', () => {
    const found = orderCores([0, 1, 2, 3], threads([0, 2], [1, 3]))
    expect(found).toEqual({ order: [0, 1, 2, 3], cores: 2 })
  })

  it('are those that the process may use, whatever their numbers', () => {
    const found = orderCores([5, 6, 7], threads([4, 5], [6, 7]))
    expect(found).toEqual({ order: [5, 6, 7], cores: 2 })
  })

  it('are the processors where the machine does not tell', () => {
    expect(orderCores([0, 1], () => null)).toEqual({ order: [0, 1], cores: 2 })
  })

  it('of this machine are each given once before any is given again', () => {
    const cores = Array.from({ length: physicalCores() }, (_, slot) => coreOfSlot(slot))
    expect(new Set(cores).size).toBe(physicalCores())
  })
})
