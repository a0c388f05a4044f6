/** How long a submission will wait, in rough words, because it is an estimate. */
export type Wait = { key: 'waitMoment' } | { key: 'waitSeconds' | 'waitMinutes'; count: number }

/** @param seconds the API's estimate */
export function roughWait(seconds: number): Wait {
  if (seconds < 10) return { key: 'waitMoment' }
  if (seconds <= 50) return { key: 'waitSeconds', count: Math.ceil(seconds / 10) * 10 }
  return { key: 'waitMinutes', count: Math.ceil(seconds / 60) }
}
