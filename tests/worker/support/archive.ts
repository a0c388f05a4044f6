/** Reads a downloaded zip with another program's code, and prepares programs for it. */
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader, type FileEntry } from '@zip.js/zip.js'
import { expect } from 'vitest'
import { packLater } from './packs.ts'
import { runSql } from './sql.ts'
import { fetchApi, submit, type Person } from './world.ts'

/** The files of a zip as texts, by name. The checksum of each is checked. */
export async function filesOf(
  zip: Uint8Array,
  encoding: BufferEncoding = 'utf8',
): Promise<Record<string, string>> {
  const reader = new ZipReader(new Uint8ArrayReader(zip), {
    useWebWorkers: false,
    checkSignature: true,
  })
  const files: Record<string, string> = {}
  for (const entry of await reader.getEntries())
    files[entry.filename] = Buffer.from(
      await (entry as FileEntry).getData(new Uint8ArrayWriter()),
    ).toString(encoding)
  return files
}

/** Downloads a zip. */
export async function download(as: Person, path: string) {
  const answer = await fetchApi('GET', path, { as })
  expect(answer.status).toBe(200)
  const zip = new Uint8Array(await answer.arrayBuffer())
  return { headers: answer.headers, files: await filesOf(zip) }
}

/** A submission that was judged with a score. @param at when it came, epoch seconds */
export async function handInScored(
  as: Person,
  problemId: number,
  { score, at, code = 'int main(){}', language = 0 }: ScoredProgram,
): Promise<string> {
  const id = await submit(as, problemId, code, language)
  await runSql`update submissions set status = 1, score = ${score}, accepted_at = ${at} where id = ${id}`
  await runSql`update problem_results set attempts = json_set(attempts, '$."' || ${id} || '"', json_array(${at}, 1, ${score}))
    where problem_id = ${problemId} and user_id = ${as.id}`
  return id
}

interface ScoredProgram {
  score: number
  at: number
  code?: string
  language?: number
}

/** Packs all that was handed in. */
export async function packAll(): Promise<void> {
  await runSql`update judgements set finished_at = 1, state = 'done' where finished_at is null`
  await runSql`delete from sweep_positions`
  await packLater()
}
