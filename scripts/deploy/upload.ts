/** Uploads code, web app, variables and secrets, by the pinned wrangler. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Unstable_RawConfig as RawConfig } from 'wrangler'
import { PlainError } from '../plain-error.ts'
import { ROOT } from '../root.ts'
import { ToolError } from '../process/run-tool.ts'
import { runWrangler } from '../process/wrangler.ts'
import { refusalOf } from './cloudflare.ts'

/** What is uploaded, and with which token. */
export interface Upload {
  account: string
  token: string
  config: RawConfig
  secrets: Record<string, string>
}

/** wrangler's arguments for a deploy with these files: the configuration and the secrets. */
export function uploadArguments(config: string, secrets: string): string[] {
  return ['deploy', '--config', config, '--secrets-file', secrets, '--minify']
}

/** The refusal in wrangler's output as a sentence; null when there is none. */
function refusalIn(output: string): string | null {
  // After a refusal wrangler asks whose the token is, which may be refused, too.
  const [, first = ''] = output.split('A request to the Cloudflare API ')
  const [, path] = /^\((\S+)\) failed/.exec(first) ?? []
  if (path === undefined) return null
  const errors = [...first.matchAll(/(?:^|\n)\s*(.+?) \[code: (\d+)\]/g)].map(
    ([, message = '', code]) => ({ message, code: Number(code) }),
  )
  // Cloudflare's code for a token without the permission is 10000; wrangler does not print the status.
  const status = errors.some(({ code }) => code === 10_000) ? 403 : 400
  return refusalOf('deploying', path, status, errors)
}

/**
 * Uploads code, web app, variables and secrets. The files with configuration and secrets are on the disk only during the upload.
 * @throws PlainError with a sentence when Cloudflare refuses, else with wrangler's last lines
 */
export async function uploadWorker(upload: Upload): Promise<void> {
  mkdirSync(join(ROOT, 'build'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, 'build/deploy-'))
  const config = join(folder, 'wrangler.json')
  const secrets = join(folder, 'secrets.json')
  try {
    writeFileSync(config, JSON.stringify(upload.config))
    writeFileSync(secrets, JSON.stringify(upload.secrets), { mode: 0o600 })
    await runWrangler('Deploying the Worker', uploadArguments(config, secrets), {
      environment: { CLOUDFLARE_API_TOKEN: upload.token, CLOUDFLARE_ACCOUNT_ID: upload.account },
    })
  } catch (error) {
    // After a refusal, wrangler's last lines do not name it any more.
    const refusal = error instanceof ToolError && refusalIn(error.output)
    throw refusal ? new PlainError(refusal) : error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
