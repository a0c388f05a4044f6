/** How far the import of a file has come. The browser keeps this until all rows are stored, because a reload loses the file. */
import * as z from 'zod'
import { parseJson } from '../../lib/api/parse-json.ts'
import { readStored, removeStored, writeStored } from '../../lib/storage.ts'

const stoppedImport = z.object({
  name: z.string(),
  /** Identifies the file without revealing its content. */
  mark: z.int(),
  options: z.object({ mailLinks: z.boolean(), force: z.boolean(), uppercase: z.boolean() }),
  /** The number of stored members, and the spreadsheet's row of the last one. */
  done: z.int(),
  row: z.int(),
})
export type StoppedImport = z.infer<typeof stoppedImport>
export type ImportOptions = StoppedImport['options']

/** The 32-bit FNV-1a hash: enough to recognise a file, too little to find its passwords. */
export function markOf(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash
}

/** The key of a person's import into a course. */
export function importKey(username: string, course: string): string {
  return `import:${username.toLowerCase()}:${course}`
}

/** The import that has stopped; null without one. */
export function readStopped(key: string): StoppedImport | null {
  return stoppedImport.safeParse(parseJson(readStored(key) ?? '')).data ?? null
}

/** Keeps how far an import is; null: it is over. */
export function keepStopped(key: string, stopped: StoppedImport | null): void {
  if (stopped === null) removeStored(key)
  else writeStored(key, JSON.stringify(stopped))
}
