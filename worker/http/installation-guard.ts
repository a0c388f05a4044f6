/** Guard of calls about the whole installation rather than a course. */
import { createMiddleware } from 'hono/factory'
import { roleCan, type Capability } from '#contract/roles'
import { AppError } from './errors.ts'
import type { UserEnv } from './session.ts'

/** Lets callers through whose role has the capability everywhere. Mount it after `requireUser`. */
export function inInstallation(capability: Capability) {
  return createMiddleware<UserEnv>(async (c, next) => {
    if (!roleCan(c.var.user.role, capability)) throw new AppError('forbidden')
    await next()
  })
}
