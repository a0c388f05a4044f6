/** What a case's program read and printed, from R2. */
import { KEPT_OUTPUT_BYTES } from '#contract/limits'
import type { ReportedOutput } from '#contract/judging'
import { can, type Standing } from '#contract/roles'
import type { CaseOutput } from '#contract/submissions'
import { entryName } from '#contract/problems/test-data'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { AppError } from '../../http/errors.ts'
import { findKeptOutput } from '../../lib/kept-outputs.ts'
import { findZipEntry } from '../../lib/zip-directory.ts'
import { rangesOf, readEntryStart } from '../../lib/zip-entry.ts'
import { readPlace, type Place } from '../storage/pack-queries.ts'
import { findOutputs, type SubmissionAccess } from './queries.ts'

type Input = Pick<CaseOutput, 'input' | 'inputSize'>
type Output = Omit<CaseOutput, keyof Input>

const NO_INPUT: Input = { input: null, inputSize: null }

/** Bytes as text. Bytes that are not UTF-8 become U+FFFD; NUL and a byte order mark stay. */
function toText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes)
}

function fromBase64(text: string): string {
  return toText(Buffer.from(text, 'base64'))
}

/** Wire form → contract. */
export function toOutput(kept: ReportedOutput): Output {
  return {
    stdout: fromBase64(kept.stdout),
    stdoutSize: kept.stdoutSize,
    stderr: fromBase64(kept.stderr),
    stderrSize: kept.stderrSize,
    expected: fromBase64(kept.expected),
    expectedSize: kept.expectedSize,
  }
}

/** A subtask of a submission's problem, with the test data of the judgement and the active test data. */
interface JudgedSubtask {
  isSample: boolean | null
  judgedWith: string | null
  active: string | null
}

/**
 * Whether the submitter may see what the cases of a subtask read, printed and expected. The problem's present subtasks say which
 * are samples, so this holds only for the active test data.
 */
export function isOpenToSubmitter({ isSample, judgedWith, active }: JudgedSubtask): boolean {
  return isSample === true && active !== null && judgedWith === active
}

/** Whether a person who may see the submission may see these cases; staff see every case. */
function maySeeCases(standing: Standing, subtask: JudgedSubtask): boolean {
  return can(standing, 'submission.readAll') || isOpenToSubmitter(subtask)
}

/** Where the outputs of a judgement are: an object of their own, or a record of a pack. */
type OutputsPlace = string | Place

/** The outputs of a judgement as they were stored; null if the bucket has lost them. */
async function openOutputs({ BUCKET }: Env, place: OutputsPlace): Promise<ReadableStream | null> {
  if (typeof place === 'string') return (await BUCKET.get(place))?.body ?? null
  return readPlace(BUCKET, place, (record) => new Response(record).body)
}

/** The kept output of one case; undefined if none was kept. */
async function readOutput(env: Env, place: OutputsPlace, subtask: number, caseIndex: number) {
  const stored = await openOutputs(env, place)
  const kept = stored && (await findKeptOutput(stored, subtask, caseIndex))
  return kept && toOutput(kept)
}

/** The beginning of a case's input. For a lost or damaged zip there is none, but the output is shown all the same. */
async function readInput(
  env: Env,
  zip: { key: string; bytes: number },
  name: string,
): Promise<Input> {
  try {
    const read = rangesOf(env.BUCKET, zip.key)
    const found = await findZipEntry(read, zip.bytes, name)
    if (!found) return NO_INPUT
    const { entry, dataEnd } = found
    const start = await readEntryStart(read, entry, dataEnd, KEPT_OUTPUT_BYTES)
    return { input: toText(start), inputSize: entry.sizeBytes }
  } catch (error) {
    console.warn(JSON.stringify({ testData: zip.key, entry: name, error: String(error) }))
    return NO_INPUT
  }
}

/** Where the outputs of a row are; null if none are kept. */
function outputsPlace({
  outputsKey,
  packKey: key,
  offset,
  length,
}: NonNullable<Awaited<ReturnType<typeof findOutputs>>>): OutputsPlace | null {
  if (outputsKey !== null || offset === null || length === null) return outputsKey
  return { key, offset, length }
}

/** The input and the kept output of one case, for people who may see it (`maySeeCases`). */
export async function readCaseOutput(
  env: Env,
  db: Db,
  access: SubmissionAccess,
  subtask: number,
  caseIndex: number,
): Promise<CaseOutput> {
  const found = await findOutputs(db, access.submissionId, subtask)
  const place = found && outputsPlace(found)
  if (!place || !maySeeCases(access.standing, found)) throw new AppError('output_not_found')
  const { zipKey, zipBytes } = found
  const name = entryName(subtask, caseIndex, 'in')
  const [output, input] = await Promise.all([
    readOutput(env, place, subtask, caseIndex),
    zipKey === null || zipBytes === null
      ? NO_INPUT
      : readInput(env, { key: zipKey, bytes: zipBytes }, name),
  ])
  if (!output) throw new AppError('output_not_found')
  return { ...output, ...input }
}
