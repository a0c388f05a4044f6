/** Ctrl-C and similar signals, as an AbortSignal. */

const PARENT_CHECK_MS = 1_000

/**
 * The first signal asks for an orderly end; a second one ends the process at once (the reaper cleans up).
 */
export function onInterruption(): AbortSignal {
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (interrupted.signal.aborted) process.exit(130)
      interrupted.abort()
    })
  // When npm is killed with SIGKILL, it passes no signal on, but this process gets another parent.
  const parent = process.ppid
  if (process.env['npm_lifecycle_event'] !== undefined)
    setInterval(() => {
      if (process.ppid !== parent) interrupted.abort()
    }, PARENT_CHECK_MS).unref()
  return interrupted.signal
}

/** Resolves when the signal fires. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
