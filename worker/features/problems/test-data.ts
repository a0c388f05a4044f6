/** Uploads of test-data zips into R2: parts, check, hash. */
import type { FieldError } from '#contract/errors'
import type { Subtask, TestDataAccepted, UploadPart, UploadStarted } from '#contract/problems'
import { COUNT_LIMITS, TEST_DATA_LIMITS } from '#contract/limits'
import { checkCaseCounts, checkTestData } from '#contract/problems/test-data'
import type { Db } from '../../db/client.ts'
import { Refusal } from '../../db/refusal.ts'
import type { Env } from '../../env.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { newHexId, toHex } from '../../lib/ids.ts'
import { readZipDirectory } from '../../lib/zip-directory.ts'
import { rangesOf } from '../../lib/zip-entry.ts'
import { BadZip } from '../../lib/zip-record.ts'
import {
  deleteUpload,
  findUploaded,
  getUpload,
  insertTestData,
  insertUpload,
  listUnhashed,
  setTestDataHash,
  type TestDataOrigin,
  type UploadRow,
} from './test-data-queries.ts'

/** The R2 key of a zip. */
function keyOf(problemId: number, id: string): string {
  return `test-data/${problemId}/${id}.zip`
}

/** Begins a multipart upload and names the path of every part. */
export async function startUpload(
  env: Env,
  db: Db,
  problemId: number,
  size: { length: number; partSize?: number },
  { actor, now }: Change,
): Promise<UploadStarted> {
  if (size.length > TEST_DATA_LIMITS.zipBytes)
    throw new AppError('too_large', { limit: TEST_DATA_LIMITS.zipBytes })
  const partBytes = size.partSize ?? TEST_DATA_LIMITS.partBytesDefault
  const id = newHexId(Date.now())
  const objectKey = keyOf(problemId, id)
  const upload = await env.BUCKET.createMultipartUpload(objectKey)
  await insertUpload(db, {
    id,
    problemId,
    userId: actor.id,
    objectKey,
    r2UploadId: upload.uploadId,
    lengthBytes: size.length,
    partBytes,
    createdAt: now,
  })
  const partCount = Math.ceil(size.length / partBytes)
  const urls = Array.from(
    { length: partCount },
    (_, index) => `/api/problem/${problemId}/test-case-upload/${id}/${index + 1}`,
  )
  return { uploadId: id, partSize: partBytes, urls }
}

/** The upload that a call names; 404 if it has ended. */
async function requireUpload(db: Db, problemId: number, uploadId: string): Promise<UploadRow> {
  const row = await getUpload(db, problemId, uploadId)
  if (!row) throw new AppError('upload_not_found')
  return row
}

/** The size that a part must have: R2 demands that all parts but the last are equally large. */
function expectedPartBytes(row: UploadRow, partNumber: number): number {
  const rest = row.lengthBytes - (partNumber - 1) * row.partBytes
  return Math.min(rest, row.partBytes)
}

/** Streams one part into R2. A part may be sent again; the last one counts. */
export async function storePart(
  env: Env,
  db: Db,
  problemId: number,
  uploadId: string,
  partNumber: number,
  body: { stream: ReadableStream | null; length: string | undefined },
): Promise<UploadPart> {
  const row = await requireUpload(db, problemId, uploadId)
  if (body.length === undefined || !body.stream) throw new AppError('length_required')
  const expected = expectedPartBytes(row, partNumber)
  if (expected <= 0 || Number(body.length) !== expected)
    throw new AppError('bad_part', [
      {
        path: ['PartNumber'],
        code: 'part_size',
        message:
          expected > 0
            ? `Part ${partNumber} must have ${expected} bytes.`
            : `There is no part ${partNumber}.`,
      } satisfies FieldError,
    ])
  const upload = env.BUCKET.resumeMultipartUpload(row.objectKey, row.r2UploadId)
  try {
    const part = await upload.uploadPart(partNumber, body.stream)
    return { ETag: part.etag, PartNumber: part.partNumber }
  } catch (error) {
    // R2 has forgotten the upload: it ended a moment ago, or is older than a week.
    if (/\b10024\b/.test(String(error))) throw new AppError('upload_not_found')
    throw error
  }
}

/** Aborts an upload and deletes its parts; 404 when it is being completed at this moment. */
export async function abortUpload(env: Env, db: Db, problemId: number, uploadId: string) {
  const row = await requireUpload(db, problemId, uploadId)
  if (!(await discardUpload(env, db, row))) throw new AppError('upload_not_found')
}

/**
 * Aborts an upload, even one that R2 has forgotten. It leaves a completed object to the sweeper, because this database
 * may be an older copy while the newer database names the object.
 * @returns true for the call that removed the row; that call cleans up
 */
export async function endUpload(env: Env, db: Db, row: UploadRow): Promise<boolean> {
  if (!(await deleteUpload(db, row.id))) return false
  try {
    await env.BUCKET.resumeMultipartUpload(row.objectKey, row.r2UploadId).abort()
  } catch (error) {
    console.warn(JSON.stringify({ upload: row.id, abort: String(error) }))
  }
  return true
}

/** Aborts an upload and deletes what it has stored. */
async function discardUpload(env: Env, db: Db, row: UploadRow): Promise<boolean> {
  if (!(await endUpload(env, db, row))) return false
  await env.BUCKET.delete(row.objectKey)
  return true
}

/** The parts in the order of their numbers; refuses a list that does not name each part once. */
function inOrder(row: UploadRow, parts: UploadPart[]): R2UploadedPart[] {
  const sorted = parts
    .map((part) => ({ partNumber: part.PartNumber, etag: part.ETag }))
    .toSorted((left, right) => left.partNumber - right.partNumber)
  const count = Math.ceil(row.lengthBytes / row.partBytes)
  if (sorted.length !== count || sorted.some((part, index) => part.partNumber !== index + 1))
    throw badParts(`The upload has parts 1 to ${count}; name each of them once.`)
  return sorted
}

/** The refusal of a bad list of parts. */
function badParts(message: string): AppError {
  return new AppError('bad_part', [{ path: ['parts'], code: 'parts', message }])
}

/** Joins the parts. An earlier call may have joined the parts already and died before it stored the result. */
async function assembleParts(
  env: Env,
  row: UploadRow,
  parts: R2UploadedPart[],
): Promise<{ key: string; size: number }> {
  try {
    return await env.BUCKET.resumeMultipartUpload(row.objectKey, row.r2UploadId).complete(parts)
  } catch (error) {
    const assembled = await env.BUCKET.head(row.objectKey)
    if (assembled) return assembled
    // R2's error 10025 and similar ones: an ETag that is not the part's, or a missing part. The upload stays open.
    throw badParts(`A part is missing or not the one that was sent: ${String(error)}`)
  }
}

/**
 * Joins the parts, checks the zip and makes it the active test data. A bad zip changes nothing. A repeated call gets the same
 * answer, because the first answer may have been lost.
 */
export async function completeUpload(
  env: Env,
  db: Db,
  problem: { id: number; subtasks: Subtask[] },
  completion: { uploadId: string; parts: UploadPart[] },
  change: Change,
): Promise<TestDataAccepted> {
  const row = await getUpload(db, problem.id, completion.uploadId)
  if (!row) return completedBefore(db, problem.id, completion.uploadId)
  const { key, size } = await assembleParts(env, row, inOrder(row, completion.parts))
  try {
    return await acceptZip(env, db, problem, { key, size }, { uploadId: row.id }, change)
  } catch (error) {
    // A bad zip ends the upload; after a fault of the server the same call may be made again.
    if (error instanceof Refusal && error.code === 'bad_zip') await discardUpload(env, db, row)
    // Another call has ended the upload, perhaps the same call made twice.
    if (error instanceof Refusal && error.code === 'upload_not_found')
      return completedBefore(db, problem.id, row.id)
    throw error
  }
}

/** The answer to an earlier completion of this upload; 404 when there was none. */
async function completedBefore(
  db: Db,
  problemId: number,
  uploadId: string,
): Promise<TestDataAccepted> {
  const version = await findUploaded(db, problemId, keyOf(problemId, uploadId))
  if (!version) throw new AppError('upload_not_found')
  return toAccepted(version)
}

/** Row → contract. */
function toAccepted({ id, caseCounts }: { id: string; caseCounts: number[] }): TestDataAccepted {
  return { testDataVersion: id, tasks: caseCounts.map((caseCount) => ({ caseCount })) }
}

/**
 * Stores a small zip that came in one request.
 * @param basedOn version of the problem it was made for; null: any
 */
export async function storeZip(
  env: Env,
  db: Db,
  problem: { id: number; subtasks: Subtask[] },
  zip: Blob,
  basedOn: number | null,
  change: Change,
): Promise<TestDataAccepted> {
  if (zip.size > TEST_DATA_LIMITS.singleRequestBytes)
    throw new AppError('too_large', { limit: TEST_DATA_LIMITS.singleRequestBytes })
  const key = keyOf(problem.id, newHexId(Date.now()))
  await env.BUCKET.put(key, zip)
  try {
    return await acceptZip(env, db, problem, { key, size: zip.size }, { basedOn }, change)
  } catch (error) {
    // After a fault of the server a row may name the zip. If no row does, the sweeper deletes the zip.
    if (error instanceof Refusal) await env.BUCKET.delete(key)
    throw error
  }
}

/** Checks a stored zip against the rules and the problem, and makes it the active test data. */
async function acceptZip(
  env: Env,
  db: Db,
  problem: { id: number; subtasks: Subtask[] },
  object: { key: string; size: number },
  by: TestDataOrigin,
  change: Change,
): Promise<TestDataAccepted> {
  const caseCounts = await checkStoredZip(env, object, problem.subtasks)
  const id = newHexId(Date.now())
  await insertTestData(
    db,
    { id, problemId: problem.id, objectKey: object.key, sizeBytes: object.size, caseCounts },
    by,
    change,
  )
  return toAccepted({ id, caseCounts })
}

/** The case counts of a zip in R2; a bad zip is refused with its bad entries, up to the most that a refusal names. */
async function checkStoredZip(
  env: Env,
  object: { key: string; size: number },
  subtasks: Subtask[],
): Promise<number[]> {
  try {
    const read = rangesOf(env.BUCKET, object.key)
    const { entries, dataEnd } = await readZipDirectory(read, object.size)
    const { caseCounts, errors } = checkTestData(entries, dataEnd)
    const expected = subtasks.map((subtask) => subtask.caseCount)
    const found = errors.length > 0 ? errors : checkCaseCounts(caseCounts, expected)
    if (found.length > 0) throw new AppError('bad_zip', found.slice(0, COUNT_LIMITS.fieldErrors))
    return caseCounts
  } catch (error) {
    if (!(error instanceof BadZip)) throw error
    throw new AppError('bad_zip', [
      { path: ['case'], code: 'zip', message: error.message } satisfies FieldError,
    ])
  }
}

/**
 * Hashes the newest version without a hash, by streaming it: after the answer to an upload, and in the sweeper. A version whose
 * object is missing is skipped, so that it does not block others.
 */
export async function hashNextTestData(env: Env, db: Db): Promise<void> {
  for (const version of await listUnhashed(db)) {
    const object = await env.BUCKET.get(version.objectKey)
    if (!object) {
      console.error(JSON.stringify({ testData: version.id, error: 'the zip is not in R2' }))
      continue
    }
    const digest = new crypto.DigestStream('SHA-256')
    await object.body.pipeTo(digest)
    return setTestDataHash(db, version.id, toHex(new Uint8Array(await digest.digest)))
  }
}
