/** How far the last import of a file has come, kept in this browser until all its rows are in: a reload loses the file. */
import * as z from 'zod'
import { parseJson } from '../../lib/api/parse-json.ts'
import { readStored, removeStored, writeStored } from '../../lib/storage.ts'

const stoppedImport = z.object({
  name: z.string(),
  /** Tells the same file from another one; says nothing of what is in it. */
  mark: z.int(),
  options: z.object({ mailLinks: z.boolean(), force: z.boolean(), uppercase: z.boolean() }),
  /** Members that are in, and the row of the spreadsheet with the last of them. */
  done: z.int(),
  row: z.int(),
})
export type StoppedImport = z.infer<typeof stoppedImport>
export type ImportOptions = StoppedImport['options']

/** The 32 bits of FNV-1a: enough to know a file again, too few to guess passwords from. */
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
