/** A control group that belongs to the user, from the user's own systemd (systemd-run(1), systemd.resource-control(5)). */
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Marks the second start, so that there is no third. */
const MARK = 'OJ_DELEGATED_SCOPE'

/** Where the command is; undefined where there is none or no session of the user's to ask. */
function findSystemdRun(environment: NodeJS.ProcessEnv): string | undefined {
  const session = environment['XDG_RUNTIME_DIR']
  if (session === undefined || !existsSync(join(session, 'systemd', 'private'))) return undefined
  return (environment['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'systemd-run'))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/**
 * Starts this command again below `systemd-run`, with the same process id. Returns only where that cannot help: for root,
 * without a systemd of the user's, or when this is that second start.
 */
export function restartInDelegatedScope(): void {
  if (process.getuid?.() === 0 || process.env[MARK] !== undefined) return
  const systemdRun = findSystemdRun(process.env)
  if (systemdRun === undefined) return
  console.log('Starting again in a control group of your own (systemd-run --user --scope) …')
  const scope = ['--user', '--scope', '--quiet', '--property=Delegate=yes', '--']
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  process.execve?.(systemdRun, [systemdRun, ...scope, ...command], { ...process.env, [MARK]: '1' })
}
