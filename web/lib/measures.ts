/** Run time and memory with their units; a dash where nothing was measured. */
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
