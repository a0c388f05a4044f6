import { useState } from 'react'

/**
 * The ETag a form was opened with. Later reads must not replace it, or a stale form would
 * overwrite what somebody else has saved since.
 * @param current null until the read has arrived
 */
export function useOpenedEtag(current: string | null): string | null {
  const [opened, setOpened] = useState(current)
  if (opened === null && current !== null) setOpened(current)
  return opened ?? current
}
