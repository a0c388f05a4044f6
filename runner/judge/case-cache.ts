/**
 * Cases that need not run twice within one rejudge: the same program on the same case. In memory, this runner
 * only. What counts as one rejudge is `Job.rejudge`: a result is only ever reused by judgements of a bulk
 * rejudge, and only if it was found since the last bulk rejudge began. Live submissions always run.
 *
 * Only a right answer that used at most half of its limits is kept: a failure, or a pass that was close, may
 * be the machine's or chance's doing and is looked at again for everybody it concerns.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Job } from '#contract/judging'
import type { Subtask } from '#contract/problems'
import { type CaseResult, STATUS } from '#contract/verdicts'
import { keyOf } from '../lib/file-cache.ts'

const MOST_RESULTS = 4_096
const MOST_HASHES = 4_096
/** Share of a limit up to which a result cannot be chance. */
const WELL_INSIDE = 0.5

/** A case as the cache tells it from others. */
interface CaseOf {
  job: Pick<Job, 'rejudge' | 'language' | 'compare'>
  /** What the box holds; null when that is not known. */
  program: string | null
  subtask: Subtask
  inputPath: string
  expectedPath: string
}

export class CaseCache {
  private readonly results = new Map<string, CaseResult>()
  /** Path → SHA-256 of the file. Extracted test data never change. */
  private readonly hashes = new Map<string, string>()

  /** The name of a case; null for one that is always run: the program is unknown, its output is kept for people, or it talks. */
  async keyOf({ job, program, subtask, inputPath, expectedPath }: CaseOf): Promise<string | null> {
    const { rejudge, language, compare } = job
    const always = subtask.taskScore === 0 || compare.mode === 'interactor'
    if (rejudge === undefined || program === null || always) return null
    const { timeLimit, memoryLimit, outputLimit } = subtask
    const files = await Promise.all([this.hashOf(inputPath), this.hashOf(expectedPath)])
    // Running it will say what is wrong with a file that cannot be read.
    if (files.includes(null)) return null
    const limits = [timeLimit, memoryLimit, outputLimit]
    return keyOf(JSON.stringify([rejudge, language, program, files, limits, compare]))
  }

  find(key: string): CaseResult | null {
    return this.results.get(key) ?? null
  }

  /** Keeps a result that deserves it. */
  keep(key: string, result: CaseResult, { timeLimit, memoryLimit }: Subtask): void {
    const { status, runTime, memoryUsage } = result
    if (status !== STATUS.AC || runTime === null || memoryUsage === null) return
    if (runTime > timeLimit * WELL_INSIDE || memoryUsage > memoryLimit * WELL_INSIDE) return
    remember(this.results, key, result, MOST_RESULTS)
  }

  private async hashOf(path: string): Promise<string | null> {
    const hash = this.hashes.get(path) ?? (await hashFile(path).catch(() => null))
    if (hash !== null) remember(this.hashes, path, hash, MOST_HASHES)
    return hash
  }
}

/** Adds an entry and forgets the oldest one above the bound. */
function remember<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.set(key, value)
  const oldest = map.keys().next().value
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
