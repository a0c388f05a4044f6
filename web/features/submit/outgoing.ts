/**
 * The program that is on its way to the judge: kept in this tab until there is an answer. If the page is reloaded soon,
 * it sends the program again. If it is reloaded later, the author decides whether to send the program again; this next
 * try has the same key.
 */
import * as z from 'zod'
import { languageCode } from '#contract/languages/codes'
import { draftKey, type DraftOwner } from '../../lib/drafts/draft.ts'
import { parseJson } from '../../lib/api/parse-json.ts'

/** `key`: each try has the same key, so that a lost answer makes no second submission. `sinceMs`: when sending began (epoch ms). */
const outgoing = z.object({
  key: z.string(),
  languageType: languageCode,
  code: z.string(),
  sinceMs: z.number(),
})
export type Outgoing = z.infer<typeof outgoing>

function storageKey(owner: DraftOwner): string {
  return `outgoing:${draftKey(owner, null)}`
}

/** The program on its way; null if there is none or storage is disabled. */
export function readOutgoing(owner: DraftOwner): Outgoing | null {
  try {
    const kept = outgoing.safeParse(parseJson(sessionStorage.getItem(storageKey(owner))))
    return kept.success ? kept.data : null
  } catch {
    return null
  }
}

/** Keeps the program, unless storage is full or disabled. */
export function keepOutgoing(owner: DraftOwner, program: Outgoing): void {
  try {
    sessionStorage.setItem(storageKey(owner), JSON.stringify(program))
  } catch {
    // Without storage, the page does not continue sending after a reload.
  }
}

/** Forgets the program, unless another one has replaced it. */
export function dropOutgoing(owner: DraftOwner, { key }: Outgoing): void {
  if (readOutgoing(owner)?.key === key) sessionStorage.removeItem(storageKey(owner))
}
