/** What screen readers are told by the live regions of a page. */
import type { Page } from 'playwright-core'

declare global {
  var said: string[]
}

/** Notes each text that comes into a live region, also on pages opened after this. @returns what was said so far on the open page */
export async function noteSaid(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const told = new WeakMap<Element, string>()
    globalThis.said = []
    new MutationObserver(() => {
      for (const region of document.querySelectorAll(
        'output, [role=alert], [role=status], [aria-live]',
      )) {
        const text = region.textContent.trim()
        if (text !== '' && text !== told.get(region)) globalThis.said.push(text)
        told.set(region, text)
      }
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  return () => page.evaluate(() => globalThis.said)
}
