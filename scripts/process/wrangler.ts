/** Calls wrangler without output, without the network and without questions. */
import { resolve } from 'node:path'
import { freePort } from '../stack/ports.ts'
import { startProcessGroup } from './process-group.ts'
import type { ProcessGroup } from './process-group.ts'
import type { Reaper } from './reaper.ts'
import { ROOT } from '../root.ts'
import { runTool } from './run-tool.ts'

/** wrangler's entry file: `bin/wrangler.js` would be one more process that only waits. */
const CLI = `${ROOT}node_modules/wrangler/wrangler-dist/cli.js`

/** Environment of every wrangler process. */
function wranglerEnvironment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    ...process.env,
    CI: '1',
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    WRANGLER_HIDE_BANNER: 'true',
    WRANGLER_WRITE_LOGS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    // Otherwise everybody who reaches the port can read the database.
    X_LOCAL_EXPLORER: 'false',
    // Otherwise the state folder, which is never emptied, keeps a trace of every call.
    X_LOCAL_OBSERVABILITY: 'false',
    ...extra,
  }
}

/** Arguments for `process.execPath` that run wrangler. */
function wranglerArguments(args: readonly string[]): string[] {
  return ['--no-warnings', CLI, ...args]
}

/**
 * Runs one wrangler command to its end.
 * @param action what the command does, for the error message
 * @returns everything that the command wrote
 * @throws ToolError when the command fails
 */
export async function runWrangler(
  action: string,
  args: readonly string[],
  options: { signal?: AbortSignal; environment?: Record<string, string> } = {},
): Promise<string> {
  const { signal, environment } = options
  return runTool(action, wranglerArguments(args), { env: wranglerEnvironment(environment), signal })
}

interface WranglerDevOptions {
  name: string
  /** Configuration file, from the project's root. */
  config: string
  /** Address to listen on, default 127.0.0.1. */
  listen?: string
  port: number
  /** Default: any free port. */
  inspectorPort?: number
  persistTo: string
  variables: Record<string, string>
  /** The folder through which the processes of a stack find each other, but no processes of another stack. */
  registry: string
  logFile: string
  reaper: Reaper
}

/** Starts one `wrangler dev`. */
export async function startWranglerDev(options: WranglerDevOptions): Promise<ProcessGroup> {
  const settings: Record<string, string> = {
    '--config': resolve(ROOT, options.config),
    '--ip': options.listen ?? '127.0.0.1',
    '--port': String(options.port),
    '--inspector-port': String(options.inspectorPort ?? (await freePort())),
    '--persist-to': options.persistTo,
    '--show-interactive-dev-session': 'false',
  }
  const variables = Object.entries(options.variables).map(([name, value]) => `${name}:${value}`)
  return startProcessGroup({
    name: options.name,
    command: process.execPath,
    args: wranglerArguments([
      'dev',
      ...Object.entries(settings).flat(),
      ...variables.flatMap((variable) => ['--var', variable]),
    ]),
    cwd: ROOT,
    env: wranglerEnvironment({ WRANGLER_REGISTRY_PATH: options.registry }),
    logFile: options.logFile,
    reaper: options.reaper,
  })
}
