/** Stored reports and pairs → contract. */
import type { CopycatComparison, CopycatState } from '#contract/copycat'
import { languageOf } from '#contract/languages'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../http/errors.ts'
import { comparePair } from './compare-pair.ts'
import { withCode } from '../storage/pack-queries.ts'
import { getPair, getReport, toReport } from './queries.ts'

/** The progress of the newest search, or its report. */
export async function readState(
  db: Db,
  courseId: number,
  problemId: number,
): Promise<CopycatState> {
  const { row, sides } = await getReport(db, courseId, problemId)
  if (!row) throw new AppError('problem_not_found')
  const { state, done, total, error } = row
  const previous =
    row.report && row.createdAt !== null ? toReport(row.report, row.createdAt, sides) : null
  if (state === 'running') return { state, done: done ?? 0, total: total ?? 0, previous }
  if (state === 'failed') return { state, error: error ?? '', previous }
  if (!previous) throw new AppError('report_not_found')
  return { state: 'done', ...previous }
}

/** The boilerplate hashes of one family, decoded from a stored report. */
function commonHashes(base64: string | undefined): Set<number> {
  const bytes = Buffer.from(base64 ?? '', 'base64')
  return new Set(
    Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4)),
  )
}

/** Two submissions to a problem side by side. */
export async function readPair(
  bucket: R2Bucket,
  db: Db,
  problemId: number,
  ids: [left: string, right: string],
): Promise<CopycatComparison> {
  const { rows, common } = await getPair(db, problemId, ids)
  const whole = await withCode(bucket, db, rows, ({ submissionId }) => submissionId)
  if (whole.some(({ code }) => code === null)) throw new AppError('object_lost')
  const [left, right] = whole.map((row) => ({
    ...row,
    code: new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(row.code ?? undefined),
  }))
  if (!left || !right) throw new AppError('submission_not_found')
  const family = languageOf(left.languageType).copyFamily
  if (languageOf(right.languageType).copyFamily !== family)
    return { left, right, similarity: 0, longest: 0, overlap: 0, fragments: [] }
  const match = comparePair([left.code, right.code], family, commonHashes(common[family]))
  return { left, right, ...match }
}
