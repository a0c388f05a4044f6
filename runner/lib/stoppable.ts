/**
 * Does work in a box; an abort ends it early.
 * @param work is given a promise that tells the box to stop
 * @throws the signal's reason when that has ended it
 */
export async function stoppable<T>(
  signal: AbortSignal,
  work: (stop: Promise<void>) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const { promise: stop, resolve } = Promise.withResolvers<void>()
  const onAbort = () => resolve()
  signal.addEventListener('abort', onAbort)
  const result = await work(stop).finally(() => signal.removeEventListener('abort', onAbort))
  signal.throwIfAborted()
  return result
}
