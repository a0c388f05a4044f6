/** Ctrl-C and its relatives, as an AbortSignal. */

/**
 * The first signal asks for an orderly end; a second one ends at once (the reaper cleans up).
 */
export function onInterruption(): AbortSignal {
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (interrupted.signal.aborted) process.exit(130)
      interrupted.abort()
    })
  return interrupted.signal
}

/** Resolves when the signal fires. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
