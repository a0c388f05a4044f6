/** Kept output of cases, in R2. */
import * as z from 'zod'
import { reportedOutput, type ReportedOutput } from '#contract/judging'
import { can } from '#contract/roles'
import type { CaseOutput } from '#contract/submissions'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { AppError } from '../../http/errors.ts'
import { findOutputs, type SubmissionAccess } from './queries.ts'

/** A stream as text. Bytes that are not UTF-8 become U+FFFD; NUL and a byte order mark stay. */
function toText(base64: string): string {
  return new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(
    Buffer.from(base64, 'base64'),
  )
}

/** Wire form → contract. */
function toCaseOutput(kept: ReportedOutput): CaseOutput {
  return {
    stdout: toText(kept.stdout),
    stdoutSize: kept.stdoutSize,
    stderr: toText(kept.stderr),
    stderrSize: kept.stderrSize,
    expected: toText(kept.expected),
    expectedSize: kept.expectedSize,
  }
}

/** The kept output of one case. The submitter sees sample cases, staff all. */
export async function readCaseOutput(
  env: Env,
  db: Db,
  access: SubmissionAccess,
  subtask: number,
  caseIndex: number,
): Promise<CaseOutput> {
  const found = await findOutputs(db, access.submissionId, subtask)
  const mayRead = can(access.standing, 'submission.readAll') || found?.isSample === true
  const object = mayRead && found?.outputsKey ? await env.BUCKET.get(found.outputsKey) : null
  if (!object) throw new AppError('output_not_found')
  const outputs = z.array(reportedOutput).parse(await object.json())
  const kept = outputs.find((output) => output.task === subtask && output.case === caseIndex)
  if (!kept) throw new AppError('output_not_found')
  return toCaseOutput(kept)
}
