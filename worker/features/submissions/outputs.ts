/** What a case's program read and printed, from R2. */
import type { ReportedOutput } from '#contract/judging'
import { can, type Standing } from '#contract/roles'
import type { CaseOutput } from '#contract/submissions'
import { entryName } from '#contract/problems/test-data'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { AppError } from '../../http/errors.ts'
import { readCaseText, toText } from '../../lib/case-text.ts'
import { findKeptOutput } from '../../lib/kept-outputs.ts'
import { readPlace, type Place } from '../storage/pack-queries.ts'
import {
  findOutputs,
  isOpenToSubmitter,
  type JudgedSubtask,
  type SubmissionAccess,
} from './queries.ts'

type Output = Omit<CaseOutput, 'input' | 'inputSize'>

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
  // For a lost or damaged zip there is no input, but the output is shown all the same.
  const [output, input] = await Promise.all([
    readOutput(env, place, subtask, caseIndex),
    zipKey === null || zipBytes === null
      ? null
      : readCaseText(env.BUCKET, { key: zipKey, bytes: zipBytes }, name),
  ])
  if (!output) throw new AppError('output_not_found')
  return { ...output, input: input?.text ?? null, inputSize: input?.sizeBytes ?? null }
}
