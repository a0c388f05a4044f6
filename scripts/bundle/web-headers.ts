/** Sets the content security policy by `VITE_API_BASE`, so that pages may call the API. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * The text of `_headers` for pages that call the API at this base.
 * @param base a path on the pages' own host, or the address of another host
 * @throws Error when the base is neither a path nor an address
 */
export function headersFor(headers: string, base = '/api'): string {
  if (/^\/(?!\/)/.test(base)) return headers
  if (!/^https?:\/\//.test(base) || !URL.canParse(base))
    throw new Error(
      `VITE_API_BASE=${base} does not work: set a path like /api or an address like https://api.example.org/api.`,
    )
  const { origin } = new URL(base)
  return headers
    .replace("img-src 'self'", `$& ${origin}`)
    .replace("connect-src 'self'", `$& ${origin} ${origin.replace('http', 'ws')}`)
}

/** The plugin for vite's configuration. */
export function allowApi(): Plugin {
  let headers = ''
  return {
    name: 'allow-api',
    apply: 'build',
    configResolved({ publicDir, env }) {
      headers = headersFor(readFileSync(join(publicDir, '_headers'), 'utf8'), env['VITE_API_BASE'])
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: '_headers', source: headers })
    },
  }
}
