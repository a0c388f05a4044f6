/** The command line of backup, restore and drill. */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cloudflareOf } from '../deploy/cloudflare.ts'
import { namesOf } from '../deploy/names.ts'
import { readSettings } from '../deploy/settings-file.ts'
import { messageOf, PlainError } from '../plain-error.ts'
import { ROOT } from '../root.ts'
import type { Installation } from './installation.ts'
import { openLocal } from './local.ts'
import { openRemote } from './remote.ts'

interface Where {
  /** Whether the installation is on Cloudflare, not on this machine. */
  remote: boolean
  environment: string | undefined
}

interface Arguments extends Where {
  folder: string
  /** Whether kept outputs are included. */
  outputs: boolean
  /** The name of an installation that may be replaced. */
  replace: string | undefined
}

/**
 * Reads a command line; options that the usage does not name are refused.
 * @throws PlainError with the usage
 */
export function readArguments(usage: string): Arguments {
  try {
    const { values, positionals, tokens } = parseArgs({
      allowPositionals: true,
      tokens: true,
      options: {
        remote: { type: 'boolean', default: false },
        env: { type: 'string' },
        outputs: { type: 'boolean', default: false },
        replace: { type: 'string' },
      },
    })
    const other = tokens.find((token) => token.kind === 'option' && !usage.includes(token.rawName))
    if (other?.kind === 'option') throw new Error(`Unknown option ${other.rawName}.`)
    const [folder, ...more] = positionals
    if (folder === undefined || more.length > 0) throw new Error('Name one folder.')
    return {
      folder: resolve(folder),
      remote: values.remote,
      environment: values.env,
      outputs: values.outputs,
      replace: values.replace,
    }
  } catch (error) {
    throw new PlainError(`${messageOf(error)}\n${usage}`)
  }
}

/** Opens the named installation: that of `deploy.env`, or that of `npm start` in `STATE_DIR`. */
export async function openInstallation({ remote, environment }: Where): Promise<Installation> {
  if (!remote) return openLocal(resolve(process.env['STATE_DIR'] ?? join(ROOT, '.state')))
  const names = namesOf(environment)
  const settings = readSettings(join(ROOT, names.settingsFile), names.settingsFile)
  const cloudflare = cloudflareOf(settings)
  return openRemote(cloudflare, settings, names)
}
