/** The settings of a local start, from the environment. */
import * as z from 'zod'
import { PlainError } from '../plain-error.ts'

const settings = z.object({
  PORT: z.coerce.number<string>().int().min(1).max(65_535).default(8787),
  // In a container it must be 0.0.0.0: nothing outside reaches the container's own loopback.
  LISTEN: z.enum(['127.0.0.1', '0.0.0.0']).default('127.0.0.1'),
  STATE_DIR: z.string().min(1).default('.state'),
  // Judging needs Linux.
  RUNNERS: z.coerce
    .number<string>()
    .int()
    .min(0)
    .max(64)
    .default(process.platform === 'linux' ? 1 : 0),
  SUBMIT_LIMIT_PER_MINUTE: z.string().optional(),
})
type LocalSettings = z.infer<typeof settings>

/** @throws PlainError that names the wrong variable */
export function readLocalSettings(environment: NodeJS.ProcessEnv): LocalSettings {
  const parsed = settings.safeParse(environment)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const name = String(issue?.path[0])
  throw new PlainError(`${name}=${environment[name]} does not work: ${issue?.message}.`)
}

/** Variables of the Worker that the environment sets. */
export function workerVariables(settings: LocalSettings): Record<string, string> {
  const limit = settings.SUBMIT_LIMIT_PER_MINUTE
  return limit === undefined ? {} : { SUBMIT_LIMIT_PER_MINUTE: limit }
}
