/** Every language the runner judges, by its name in the protocol. */
import type { LanguageId } from '#contract/languages'
import { c } from './c.ts'
import { cpp } from './cpp.ts'
import type { RunnerLanguage } from './language.ts'
import { py3 } from './py3.ts'

export const RUNNER_LANGUAGES: Record<LanguageId, RunnerLanguage> = { c, cpp, py3 }
