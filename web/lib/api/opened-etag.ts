import { useState } from 'react'
import { etagOf } from './api.ts'

/**
 * The ETag that a form was opened with; null until its data have arrived. Later reads must not replace this ETag, or a
 * stale form would overwrite what another person has saved meanwhile.
 * @param path of the read
 */
export function useOpenedEtag({ isSuccess }: { isSuccess: boolean }, path: string): string | null {
  const current = isSuccess ? etagOf(path) : null
  const [opened, setOpened] = useState(current)
  if (opened === null && current !== null) setOpened(current)
  return opened ?? current
}
