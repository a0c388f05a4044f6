/** The texts that a page's live regions tell screen readers. */
import type { Page } from 'playwright-core'

declare global {
  var said: string[]
}

/** Records each text in a live region, also on pages opened later. @returns a function that gives the open page's texts so far */
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
