/** Moves through pages by keys alone, and watches the focus. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** No page needs more presses of Tab; after this many the focus is trapped. */
const MOST_TABS = 80

/** The name of the focused element, and whether the focus is visible. */
export async function focus(page: Page): Promise<{ name: string; isSeen: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement)) return { name: '', isSeen: true }
    const label =
      'labels' in element && element.labels instanceof NodeList ? element.labels[0] : null
    const name = element.getAttribute('aria-label') ?? label?.textContent ?? element.textContent
    // The focus mark may be on a surrounding box, as with fields and the editor.
    // After a navigation the page itself has the focus, which needs no mark.
    let isSeen = element.matches('body, main')
    for (let at: Element | null = element, up = 0; at && up < 4; at = at.parentElement, up += 1) {
      const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(at)
      if (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) isSeen = true
      if (
        boxShadow !== 'none' ||
        (up === 0 && at.matches('input, textarea, select') && borderColor !== '')
      )
        isSeen = true
    }
    return { name: name?.trim() ?? '', isSeen }
  })
}

/** Presses Tab until this element, or one of this name, has the focus. */
export async function tabTo(page: Page, target: string | RegExp | Locator): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    const at = await focus(page)
    expect(at.isSeen, `the focus on “${at.name}”`).toBe(true)
    if (await isAt(at.name, target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keyboard does not come to ${String(target)}.`)
}

async function isAt(name: string, target: string | RegExp | Locator): Promise<boolean> {
  if (typeof target === 'string') return name.replace(/\s*\*$/, '') === target
  if (target instanceof RegExp) return target.test(name)
  return target.evaluate((element) => element === document.activeElement)
}
