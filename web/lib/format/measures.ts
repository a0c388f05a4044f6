/** Run time and memory with their units; a dash if nothing was measured. */
import type { Subtask } from '#contract/problems'
import { kbToMb } from './format.ts'

const NOTHING = '–'

/** @param ms CPU time */
export function timeText(ms: number | null): string {
  return ms === null ? NOTHING : `${ms} ms`
}

/** @param kb peak memory; shown in MB */
export function memoryText(kb: number | null): string {
  return kb === null ? NOTHING : `${kbToMb(kb)} MB`
}

function rangeText(values: number[], unit: string): string {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return least === most ? `${most} ${unit}` : `${least}–${most} ${unit}`
}

/** The limits of CPU time and memory of a problem; if its subtasks differ, the smallest and the largest. */
export function limitsText(subtasks: Pick<Subtask, 'timeLimit' | 'memoryLimit'>[]): string {
  const times = subtasks.map(({ timeLimit }) => timeLimit)
  const memories = subtasks.map(({ memoryLimit }) => kbToMb(memoryLimit))
  return `${rangeText(times, 'ms')}, ${rangeText(memories, 'MB')}`
}
