/** Previews of a rejudge: what judging a problem's submissions again would change, before anybody sees it. */
import * as z from 'zod'
import { epochSeconds, hexId, intBetween, userInfo } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'
import { verdict } from '#contract/verdicts'

/**
 * GET /problem/{id}/rejudge/preview.
 * - `earlierCount`: submissions whose result is of earlier test data, limits, scores or comparison, counted up to
 *   `PREVIEW.mostCounted`; null while there is a preview
 * - `state`: `outdated` once the problem has changed again or judging failed; only one that is `ready` can
 *   be applied; one that is `applying` can be neither dropped nor replaced
 * - `done` of `total` submissions are judged; while it is `applying`, applied
 * - `changedCount` would get another verdict or score; `keptCount` ended in a Judge Error and keep their
 *   result. Null while the preview is being judged or applied
 * - `lostCount` so far cannot be judged again, because the bucket has lost their code (`object_lost`), and are no part of `total`; absent: none
 */
export const rejudgePreview = z.object({
  earlierCount: z.int().nullable(),
  preview: z
    .object({
      startedAt: epochSeconds,
      expiresAt: epochSeconds,
      state: z.enum(['judging', 'ready', 'applying', 'outdated']),
      total: z.int(),
      done: z.int(),
      lostCount: z.int().optional(),
      changedCount: z.int().nullable(),
      keptCount: z.int().nullable(),
    })
    .nullable(),
})
export type RejudgePreview = z.infer<typeof rejudgePreview>

const outcome = z.object({ status: verdict, score: z.int() })

/** A submission that the preview would change, or that ended in a Judge Error and keeps its result. */
const previewedChange = z.object({
  submissionId: hexId,
  user: userInfo,
  from: outcome,
  to: outcome,
})
export type PreviewedChange = z.infer<typeof previewedChange>

/** Query of GET /problem/{id}/rejudge/preview/changes. */
export const previewedChangesParams = z.object({
  cursor: z.string().max(256).optional(),
  limit: z.coerce.number<string>().pipe(intBetween(1, COUNT_LIMITS.listItems)).optional(),
})

/** Its answer, the first judged first. */
export const previewedChangesPage = z.object({
  items: z.array(previewedChange),
  next: z.string().nullable(),
})
