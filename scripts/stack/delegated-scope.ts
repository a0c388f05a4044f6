/** Gets a control group that belongs to the user from the user's own systemd (systemd-run(1), systemd.resource-control(5)). */
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The variable that marks the second start, so that there is no third. */
const MARK = 'OJ_DELEGATED_SCOPE'

/** The path of systemd-run; undefined without the command or without a systemd of the user. */
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
 * Starts this command again under `systemd-run`, with the same process id. Returns only when that cannot help: for root,
 * without a systemd of the user, or when this is the second start.
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
