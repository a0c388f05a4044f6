/** Handing in code: rights, limits, language, quota, then the queue. */
import { isLanguageAllowed } from '#contract/languages'
import type { LanguageCode } from '#contract/languages/codes'
import { can } from '#contract/roles'
import { STATUS } from '#contract/verdicts'
import type { NewSubmission } from '#contract/submissions'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import type { Change } from '../../http/change.ts'
import { demandCapability } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { demandTokens } from '../../http/rate-limit.ts'
import { calendarDay } from '../../lib/calendar-day.ts'
import { newHexId } from '../../lib/ids.ts'
import { acceptClaimed, insertAccepted, insertClaimed, type Acceptance } from './create-queries.ts'
import { sourceFromFile, sourceFromText } from './source.ts'
import {
  type EarlierSubmission,
  SUBMIT_LIMITS,
  type SubmitTarget,
  findClaimed,
  findEarlier,
  findSubmitTarget,
} from './target-queries.ts'

/** An accepted submission. `judgementId` is for the queue; null while the code is missing. */
export interface Accepted {
  submissionId: string
  judgementId: string | null
}

/** Refuses a closed course, a language that the problem does not allow, and a problem without test data. */
function checkTarget(target: SubmitTarget, languageType: LanguageCode): void {
  demandCapability(target.standing, 'submission.create')
  if (!isLanguageAllowed(target.allowedLanguage, languageType))
    throw new AppError('language_not_allowed')
  if (target.testDataVersion === null) throw new AppError('no_test_data')
}

/** The data for accepting code now. The quota's day is that of the course's time zone. */
function acceptance(
  target: SubmitTarget,
  submissionId: string,
  code: Uint8Array,
  { actor, now }: Change,
): Acceptance {
  return {
    submissionId,
    judgementId: newHexId(Date.now()),
    userId: actor.id,
    code,
    quotaStart: can(target.standing, 'quota.exempt')
      ? null
      : calendarDay(now, target.timeZone).start,
    now,
  }
}

/** The refusal for a used-up quota, with the time when it starts anew. */
function quotaExceeded(target: SubmitTarget, now: number): AppError {
  return new AppError('quota_exceeded', { resetAt: calendarDay(now, target.timeZone).end })
}

/** The answer to a repeated Idempotency-Key. */
function repeatOf(
  earlier: EarlierSubmission,
  form: NewSubmission,
  code: Uint8Array | null,
): Accepted {
  const isSameCode = code === null || earlier.code?.equals(code) === true
  if (
    earlier.problemId !== form.problemId ||
    earlier.languageType !== form.languageType ||
    !isSameCode
  )
    throw new AppError('idempotency_mismatch')
  return { submissionId: earlier.id, judgementId: null }
}

/** POST /submission. The same Idempotency-Key again answers the same submission. */
export async function createSubmission(
  env: Env,
  db: Db,
  form: NewSubmission,
  idempotencyKey: string | null,
  change: Change,
): Promise<Accepted> {
  const { actor, ip, now } = change
  const perMinute = Number(env.SUBMIT_LIMIT_PER_MINUTE ?? SUBMIT_LIMITS.perMinute)
  const { target, rates, sourceRates, earlier } = await findSubmitTarget(
    db,
    { user: actor, ip, perMinute, sourceBytes: Buffer.byteLength(form.code ?? ''), now },
    form.problemId,
    idempotencyKey,
  )
  // A call that is refused below counts, too.
  if (!earlier) demandTokens(rates, 'too_many_submissions')
  if (!target) throw new AppError('problem_not_found')
  const code = form.code === undefined ? null : sourceFromText(form.code)
  if (earlier) return repeatOf(earlier, form, code)
  checkTarget(target, form.languageType)
  demandTokens(sourceRates, 'too_much_source')
  const row = {
    id: newHexId(Date.now()),
    userId: actor.id,
    ip,
    languageType: form.languageType,
    idempotencyKey,
    now,
  }
  if (code === null) {
    if (await insertClaimed(db, target, row)) return { submissionId: row.id, judgementId: null }
  } else {
    const accepted = acceptance(target, row.id, code, change)
    if (await insertAccepted(db, target, row, accepted)) return accepted
  }
  // Nothing was written: the same call arrived twice at once, or else the quota is used up.
  const twin = await findEarlier(db, actor.id, idempotencyKey)
  if (twin) return repeatOf(twin, form, code)
  throw quotaExceeded(target, now)
}

/** The actor's submission that waits for its code; refuses if there is none, or it already has its code. */
export async function requireClaimed(db: Db, submissionId: string, { actor, now }: Change) {
  const claimed = await findClaimed(db, actor, submissionId, now)
  if (!claimed) throw new AppError('submission_not_found')
  if (claimed.status !== STATUS.CLAIMED) throw new AppError('code_already_sent')
  return claimed
}

/** PUT /submission/{id}: the code of a two-step submission. */
export async function completeSubmission(
  db: Db,
  submissionId: string,
  claimed: SubmitTarget & { languageType: LanguageCode },
  file: Blob,
  change: Change,
): Promise<Accepted> {
  const code = await sourceFromFile(file, claimed.languageType)
  checkTarget(claimed, claimed.languageType)
  const accepted = acceptance(claimed, submissionId, code, change)
  const { rate, isAccepted } = await acceptClaimed(db, change.actor, claimed, accepted)
  demandTokens([rate], 'too_much_source')
  if (isAccepted) return accepted
  // Nothing was written: the code arrived twice at once, the problem was hidden, or else the quota is used up.
  await requireClaimed(db, submissionId, change)
  throw quotaExceeded(claimed, change.now)
}
