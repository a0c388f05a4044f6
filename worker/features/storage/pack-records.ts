/**
 * The format of packs: records, one after the other, each deflated (RFC 1951) by itself, so that each can be read alone. A record
 * is a submission, or the JSON of a judgement's kept outputs.
 */
import { Buffer } from 'node:buffer'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import * as z from 'zod'
import { SOURCE_LIMIT_BYTES } from '#contract/limits'
import type { judgements } from '../../db/schema.ts'

export type JudgementRow = typeof judgements.$inferSelect

/** A submission as a pack holds it. */
export interface PackedSubmission {
  /** Byte for byte. */
  code: Buffer
  /** The rows as they were. */
  judgements: JudgementRow[]
}

/** The server wrote these rows itself, perhaps in another release, so it only checks that they are objects. */
const rows = z.array(z.custom<JudgementRow>((row) => typeof row === 'object' && row !== null))

/** The bytes before the judgements, which hold their length. */
const HEAD_BYTES = 4
/** The most bytes of a record. Even after a thousand judgements a submission's record is far smaller. */
const MOST_BYTES = SOURCE_LIMIT_BYTES + 64 * 1024 ** 2

/** A record of these bytes. */
export function toRecord(bytes: Uint8Array): Buffer {
  return deflateRawSync(bytes)
}

/** The bytes of a record. @throws Error for bytes that are no record */
export function readRecord(record: Uint8Array): Buffer {
  return inflateRawSync(record, { maxOutputLength: MOST_BYTES })
}

/** The record of a submission: the length of the judgements (32 bits, little-endian), the judgements as JSON, the code. */
export function toSubmissionRecord({ code, judgements }: PackedSubmission): Buffer {
  const json = Buffer.from(JSON.stringify(judgements))
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(json.length)
  return toRecord(Buffer.concat([head, json, code]))
}

/** Where the code of a submission begins in its record's bytes. @throws Error if they end too early */
function codeAt(record: Buffer): number {
  const at = HEAD_BYTES + record.readUInt32LE(0)
  if (at > record.length) throw new Error('a record of a pack ends too early')
  return at
}

/** The submission of a record's bytes. @throws Error if they end too early */
export function toSubmission(record: Buffer): PackedSubmission {
  const code = codeAt(record)
  const json: unknown = JSON.parse(record.toString('utf8', HEAD_BYTES, code))
  return { code: record.subarray(code), judgements: rows.parse(json) }
}

/** The code in a record's bytes, without reading the judgements. @throws Error if they end too early */
export function toCode(record: Buffer): Buffer {
  return record.subarray(codeAt(record))
}
