/**
 * The steps of a copy search: choose the programs, read them into R2 as tokens, compare each program with the earlier ones, store
 * the report. The operation's row holds the progress. A repeated step writes the same objects to R2.
 */
import * as z from 'zod'
import { hexId } from '#contract/fields'
import { COPY_FAMILIES, languageOf, type CopyFamily } from '#contract/languages'
import type { StoredPair } from '../../db/schema.ts'
import { finishOperation } from '../operations/queries.ts'
import {
  OperationFailed,
  type OperationStep,
  type StepContext,
  type StepProgress,
} from '../operations/step.ts'
import { buildCorpus, type Corpus } from './corpus.ts'
import { COPYCAT } from './limits.ts'
import { matcherOf, type Match } from './matching.ts'
import { withCode } from '../storage/pack-queries.ts'
import {
  findStatement,
  listPrograms,
  readSources,
  storingReport,
  type Selection,
} from './queries.ts'
import { templateHashes } from './template.ts'
import { tokenize } from './tokens.ts'
import { deleteTokens, readTokens, writeTokens, type TokenChunk } from './token-store.ts'

const TOO_MUCH = `The programs are more than ${COPYCAT.sourceBytes / 1024 ** 2} MiB together. Compare fewer people at once.`

/** The operation's payload. `programs`: grouped by family, older ones first; null: not chosen yet. */
export const copycatPayload = z.object({
  problemId: z.int(),
  usernames: z.array(z.string()).nullable(),
  programs: z.array(z.tuple([hexId, z.enum(COPY_FAMILIES)])).nullable(),
  /** Programs that were left out because their code is lost. */
  missingCount: z.int(),
  /** Tokens of each program that has been read. */
  lengths: z.array(z.int()),
  /** How many programs have been compared with all programs before them. */
  compared: z.int(),
  comparedCount: z.int(),
  pairCount: z.int(),
  histogram: z.array(z.int()),
  pairs: z.array(z.tuple([z.int(), z.int(), z.number(), z.int(), z.int()])),
  common: z.record(z.string(), z.string()),
})
type Progress = z.infer<typeof copycatPayload>
type Chosen = Progress & { programs: NonNullable<Progress['programs']> }

/** The payload of a new search. */
export function firstPayload({ problemId, usernames }: Selection): Progress {
  return {
    problemId,
    usernames,
    programs: null,
    missingCount: 0,
    lengths: [],
    compared: 0,
    comparedCount: 0,
    pairCount: 0,
    histogram: Array.from({ length: COPYCAT.histogramBars }, () => 0),
    pairs: [],
    common: {},
  }
}

export const copycatStep: OperationStep<Progress> = async (context) => {
  const progress = context.operation.payload
  const { problemId, programs } = progress
  const statement = await findStatement(context.db, problemId)
  if (!statement) throw new OperationFailed('The problem was deleted.')
  if (!programs) return choosePrograms(context, progress)
  const chosen = { ...progress, programs }
  const next = programs[progress.lengths.length]
  if (next) return readNext(context, chosen, next[1])
  const row = programs[progress.compared]
  if (!row) return finishReport(context, chosen)
  return compareNext(context, chosen, row[1], templateHashes(statement.description, row[1]))
}

/** Every program counts twice: when it is read and when it is compared. */
function continueWith(progress: Progress): StepProgress<Progress> {
  const { programs, lengths, compared } = progress
  return {
    done: lengths.length + compared,
    total: 2 * (programs?.length ?? 0),
    payload: progress,
  }
}

async function choosePrograms(
  { db }: StepContext,
  progress: Progress,
): Promise<StepProgress<Progress>> {
  const rows = await listPrograms(db, progress)
  if (rows.reduce((sum, { bytes }) => sum + bytes, 0) > COPYCAT.sourceBytes)
    throw new OperationFailed(TOO_MUCH)
  const programs = COPY_FAMILIES.flatMap((family) =>
    rows
      .filter(({ languageType }) => languageOf(languageType).copyFamily === family)
      .map(({ id }): Chosen['programs'][number] => [id, family]),
  )
  return continueWith({ ...progress, programs })
}

/** The range of a family's programs. */
function rangeOf({ programs }: Chosen, family: CopyFamily): [from: number, to: number] {
  const from = programs.findIndex(([, other]) => other === family)
  if (from < 0) return [0, 0]
  return [from, programs.findLastIndex(([, other]) => other === family) + 1]
}

/** Leaves out programs whose code is lost: two empty programs would be equal. */
function leaveOut(progress: Chosen, missing: ReadonlySet<string>): Chosen {
  return {
    ...progress,
    programs: progress.programs.filter(([id]) => !missing.has(id)),
    missingCount: progress.missingCount + missing.size,
  }
}

/** Reads the next programs of a family and puts their tokens into R2. */
async function readNext(
  { env, db, operation }: StepContext,
  progress: Chosen,
  family: CopyFamily,
): Promise<StepProgress<Progress>> {
  const from = progress.lengths.length
  const [, end] = rangeOf(progress, family)
  const to = Math.min(from + COPYCAT.readChunk, end)
  const ids = progress.programs.slice(from, to).map(([id]) => id)
  const rows = await withCode(env.BUCKET, db, await readSources(db, ids), ({ id }) => id)
  const codeOf = new Map(rows.flatMap(({ id, code }) => (code ? [[id, code] as const] : [])))
  const missing = new Set(ids.filter((id) => !codeOf.has(id)))
  // Store nothing in this step: the next one reads a full chunk of the programs whose code is not lost.
  if (missing.size > 0) return continueWith(leaveOut(progress, missing))
  const tokens = ids.map((id) => tokenize(new TextDecoder().decode(codeOf.get(id)), family).kinds)
  await writeTokens(env.BUCKET, { operationId: operation.id, from }, tokens)
  const lengths = tokens.map((kinds) => kinds.length)
  return continueWith({ ...progress, lengths: [...progress.lengths, ...lengths] })
}

/** The chunks of a range of programs in R2. */
function chunksOf(operationId: string, [from, to]: [from: number, to: number]): TokenChunk[] {
  const count = Math.ceil((to - from) / COPYCAT.readChunk)
  return Array.from({ length: count }, (_, index) => ({
    operationId,
    from: from + index * COPYCAT.readChunk,
  }))
}

/** Reads the programs of a family from R2 and prepares them for comparing. */
async function loadCorpus(
  { env, operation }: StepContext,
  { lengths }: Chosen,
  [from, to]: [from: number, to: number],
  template: ReadonlySet<number>,
): Promise<Corpus> {
  const programs = await Promise.all(
    chunksOf(operation.id, [from, to]).map((chunk) => {
      const end = Math.min(chunk.from + COPYCAT.readChunk, to)
      return readTokens(env.BUCKET, chunk, lengths.slice(chunk.from, end))
    }),
  )
  const share = Math.floor((to - from) * COPYCAT.commonShare)
  return buildCorpus(programs.flat(), template, Math.max(COPYCAT.commonPrograms, share))
}

/** The most similar pairs, at most as many as a report holds. */
function bestPairs(pairs: StoredPair[]): StoredPair[] {
  return pairs
    .toSorted((a, b) => b[2] - a[2] || b[4] - a[4] || a[0] - b[0] || a[1] - b[1])
    .slice(0, COPYCAT.pairs)
}

/** Compares the next programs of a family with all earlier programs, for as long as a step may take. */
async function compareNext(
  context: StepContext,
  progress: Chosen,
  family: CopyFamily,
  template: ReadonlySet<number>,
): Promise<StepProgress<Progress>> {
  const [from, to] = rangeOf(progress, family)
  const corpus = await loadCorpus(context, progress, [from, to], template)
  const matcherFor = matcherOf(corpus)
  const histogram = [...progress.histogram]
  let { compared, comparedCount, pairCount, pairs } = progress
  for (let work = 0; compared < to && work < COPYCAT.compareWork; compared += 1) {
    const right = corpus.programs[compared - from]
    if (!right) break
    const match = matcherFor(right)
    for (const [at, left] of corpus.programs.slice(0, compared - from).entries()) {
      const found = match(left)
      work += found.work
      comparedCount += 1
      if (found.overlap === 0) continue
      pairCount += 1
      const bar = barOf(found)
      histogram[bar] = (histogram[bar] ?? 0) + 1
      pairs.push([from + at, compared, found.similarity, found.longest, found.overlap])
    }
    if (pairs.length > 2 * COPYCAT.pairs) pairs = bestPairs(pairs)
  }
  const common = {
    ...progress.common,
    [family]: Buffer.from(corpus.common.buffer).toString('base64'),
  }
  return continueWith({ ...progress, compared, comparedCount, pairCount, histogram, pairs, common })
}

/** The bar of the histogram for a similarity. */
function barOf({ similarity }: Match): number {
  return Math.min(COPYCAT.histogramBars - 1, Math.floor(similarity * COPYCAT.histogramBars))
}

/** Stores the report, ends the operation and deletes the tokens. */
async function finishReport(
  { env, db, operation, now }: StepContext,
  progress: Chosen,
): Promise<null> {
  const { problemId, programs, missingCount, comparedCount, pairCount, histogram, pairs, common } =
    progress
  const report = {
    submissionIds: programs.map(([id]) => id),
    ...(missingCount > 0 && { missingCount }),
    comparedCount,
    pairCount,
    histogram,
    pairs: bestPairs(pairs),
  }
  await finishOperation(db, operation, null, now, [
    storingReport(db, problemId, { report, common }, now),
  ])
  await deleteTokens(
    env.BUCKET,
    COPY_FAMILIES.flatMap((family) => chunksOf(operation.id, rangeOf(progress, family))),
  )
  return null
}
