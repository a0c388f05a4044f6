/**
 * Ends the stack's processes even when the process that started them is killed with SIGKILL.
 * A tiny shell in a session of its own reads the process groups from a pipe. When the pipe closes, the shell
 * ends all groups that are still on its list, the latest first.
 */
import { spawn } from 'node:child_process'

const SCRIPT = `
groups=
while read -r action group; do
  kept=
  for other in $groups; do [ "$other" = "$group" ] || kept="$kept $other"; done
  groups=$kept
  [ "$action" = add ] && groups="$group $groups"
done
for group in $groups; do
  kill -TERM "$group" 2>/dev/null
  tries=0
  while kill -0 "$group" 2>/dev/null && [ $tries -lt 100 ] && ! grep -qs '^State:.Z' "/proc/$group/status"; do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill -KILL -"$group" 2>/dev/null
done
`

/** The list of groups that must not outlive this process. */
export interface Reaper {
  /** @param group pid of a process that leads a process group */
  add(group: number): void
  remove(group: number): void
}

/** Starts the watcher; it ends by itself when this process does. */
export function startReaper(): Reaper {
  const shell = spawn('/bin/sh', ['-c', SCRIPT], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without the watcher everything still works, but SIGKILL leaves processes behind.
  shell.on('error', () => {})
  shell.stdin.on('error', () => {})
  shell.unref()
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
  return {
    add(group) {
      shell.stdin.write(`add ${group}\n`)
    },
    remove(group) {
      shell.stdin.write(`remove ${group}\n`)
    },
  }
}
