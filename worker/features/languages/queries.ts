/** The languages and the versions that live runners report. */
import { compileText, type LanguageInfo, LANGUAGES, runText } from '#contract/languages'
import { RUNNERS } from '#contract/limits'
import type { Db } from '../../db/client.ts'
import { takesJobs } from '../../db/queue-estimate.ts'
import { runners } from '../../db/schema.ts'

/** Every language, with the versions on live runners that take jobs. */
export async function listLanguages(db: Db, now: number): Promise<LanguageInfo[]> {
  const rows = await db
    .select({ host: runners.host })
    .from(runners)
    .where(takesJobs(now))
    .limit(RUNNERS.most)
  return LANGUAGES.map((language) => {
    const { id, label, mask, timeFactor, memoryFactor } = language
    const told = rows.map(({ host }) => host?.languages?.[id] ?? '')
    return {
      id,
      label,
      mask,
      compile: compileText(language),
      run: runText(language),
      timeFactor,
      memoryFactor,
      versions: [...new Set(told)].filter((version) => version !== '').toSorted(),
    }
  })
}
