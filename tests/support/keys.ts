/** Going through pages by keys alone, with one's eyes on the focus. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** More than any page here needs; then the keyboard is caught somewhere. */
const MOST_TABS = 80

/** The name of what has the focus, and whether one sees that it has. */
export async function focus(page: Page): Promise<{ name: string; isSeen: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement)) return { name: '', isSeen: true }
    const label =
      'labels' in element && element.labels instanceof NodeList ? element.labels[0] : null
    const name = element.getAttribute('aria-label') ?? label?.textContent ?? element.textContent
    // The mark may be on a box around it, as with fields and the editor.
    // The page itself has it after a navigation; that is no place to mark.
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

/** Tabs on until something of this name, or this very element, has the focus. */
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
