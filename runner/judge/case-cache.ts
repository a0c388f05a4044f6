/**
 * Results of cases that need not run twice within one bulk rejudge: the same program on the same case. Kept in the
 * memory of this runner. `Job.rejudge` names the rejudge, so a result from before that bulk rejudge is not
 * reused. Live submissions always run.
 *
 * Only a right answer well inside its limits is kept. A failure or a result near a limit may be due to the machine or to
 * chance, so such a case runs again for everybody.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Job } from '#contract/judging'
import type { Subtask } from '#contract/problems'
import { type CaseResult, STATUS } from '#contract/verdicts'
import { keyOf } from '../lib/file-cache.ts'
import { type CaseLimits, caseLimitsOf } from './run-limits.ts'

const MOST_RESULTS = 4_096
const MOST_HASHES = 4_096
/** A kept result may have used at most this share of its limits. */
const WELL_INSIDE = 0.5

/** What identifies a case. */
interface CaseIdentity {
  job: Pick<Job, 'rejudge' | 'language' | 'compare'>
  /** The hash of the compiled program; null when it is not known. */
  program: string | null
  subtask: Subtask
  inputPath: string
  expectedPath: string
}

export class CaseCache {
  private readonly results = new Map<string, CaseResult>()
  /** Path → SHA-256 of the file. Extracted test data never change. */
  private readonly hashes = new Map<string, string>()

  /** The key of a case. Null for a case that always runs: its program is unknown, its output is kept, or it is interactive. */
  async keyOf(identity: CaseIdentity): Promise<string | null> {
    const { job, program, subtask, inputPath, expectedPath } = identity
    const { rejudge, language, compare } = job
    const alwaysRuns = subtask.sample || compare.mode === 'interactor'
    if (rejudge === undefined || program === null || alwaysRuns) return null
    const files = await Promise.all([this.hashOf(inputPath), this.hashOf(expectedPath)])
    // If a file cannot be read, running the case will tell why.
    if (files.includes(null)) return null
    const limits = caseLimitsOf(subtask)
    return keyOf(JSON.stringify([rejudge, language, program, files, limits, compare]))
  }

  find(key: string): CaseResult | null {
    return this.results.get(key) ?? null
  }

  /** Keeps a result if it is a right answer well inside its limits. */
  keep(key: string, result: CaseResult, limits: CaseLimits): void {
    const { status, runTime: timeMs, memoryUsage: memoryKb } = result
    if (status !== STATUS.AC || timeMs === null || memoryKb === null) return
    if (timeMs > limits.timeMs * WELL_INSIDE || memoryKb > limits.memoryKb * WELL_INSIDE) return
    remember(this.results, key, result, MOST_RESULTS)
  }

  private async hashOf(path: string): Promise<string | null> {
    const hash = this.hashes.get(path) ?? (await hashFile(path).catch(() => null))
    if (hash !== null) remember(this.hashes, path, hash, MOST_HASHES)
    return hash
  }
}

/** Adds an entry; with more than `most` entries, deletes the oldest. */
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
