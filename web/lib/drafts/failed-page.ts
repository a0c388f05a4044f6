/** Tells forms that go away whether their page has failed, so that they keep what was typed. */
import { useLayoutEffect } from 'react'

let isFailed = false

/** Whether the page is one that says that another failed. */
export function isPageFailed(): boolean {
  return isFailed
}

/** Used by the page of a failure: known before the effects of what it replaces are cleaned up. */
export function useFailedPage(): void {
  useLayoutEffect(() => {
    isFailed = true
    return () => {
      isFailed = false
    }
  }, [])
}
