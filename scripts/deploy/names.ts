/** The names of an installation's parts in its account. Installations share nothing, so each has names of its own. */
import { PlainError } from '../plain-error.ts'

/** The names of one installation. */
export interface Names {
  worker: string
  database: string
  bucket: string
  judgeQueue: string
  stepQueue: string
  deadLetterQueue: string
  /** The path of its settings file, from the project's root. */
  settingsFile: string
}

/**
 * The names for an environment such as `staging`; without an environment, those of `wrangler.toml`.
 * @throws PlainError for a name that no bucket can have
 */
export function namesOf(environment?: string): Names {
  if (environment !== undefined && !/^[a-z\d]([a-z\d-]{0,18}[a-z\d])?$/.test(environment))
    throw new PlainError(
      `--env ${environment} does not work: use 1 to 20 lower-case letters, digits and hyphens.`,
    )
  const base = ['coursejudge', environment].filter(Boolean).join('-')
  return {
    worker: base,
    database: base,
    bucket: base,
    judgeQueue: `${base}-judge`,
    stepQueue: `${base}-steps`,
    deadLetterQueue: `${base}-dead-letters`,
    settingsFile: ['deploy', environment, 'env'].filter(Boolean).join('.'),
  }
}
