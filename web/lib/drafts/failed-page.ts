/** Tells forms, when they unmount, whether their page has failed, so that they keep what was typed. */
import { useLayoutEffect } from 'react'

let isFailed = false

/** Whether the shown page is the error page of a page that failed. */
export function isPageFailed(): boolean {
  return isFailed
}

/** Marks the error page. A layout effect, so that it runs before the effects of the replaced page are cleaned up. */
export function useFailedPage(): void {
  useLayoutEffect(() => {
    isFailed = true
    return () => {
      isFailed = false
    }
  }, [])
}
