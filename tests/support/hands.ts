/** Somebody at a page: by keys or by pointer, on a wide screen or on a phone. */
import type { Locator, Page } from 'playwright-core'
import { enter, newVisitor } from './browser.ts'
import { tabTo } from './keys.ts'

interface Way {
  by: 'keys' | 'pointer'
  on: 'wide' | 'phone'
}

const [first, second, ...others]: [Way, Way, ...Way[]] = [
  { by: 'keys', on: 'phone' },
  { by: 'pointer', on: 'wide' },
  { by: 'keys', on: 'wide' },
  { by: 'pointer', on: 'phone' },
]
const isFull = Reflect.get(import.meta, 'env').MODE === 'full'

/** The ways that a journey goes: all four in full tests, else two that together have keys, pointer, wide and phone. */
export const WAYS = isFull ? [first, second, ...others] : [first, second]

/** Each of a journey's files: every way in full tests, else the two in turn. */
export function waysOf<T>(files: readonly T[]): (Way & { file: T })[] {
  return files.flatMap((file, index) =>
    (isFull ? WAYS : [index % 2 === 0 ? first : second]).map((way) => ({ ...way, file })),
  )
}

const SCREENS = {
  wide: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
} as const

/** Does things on a page by keys or by pointer. Every control used and every text written is one action. */
class Hands {
  readonly page: Page
  private readonly way: Way
  actions = 0

  constructor(page: Page, way: Way) {
    this.page = page
    this.way = way
  }

  private async reach(target: Locator): Promise<void> {
    this.actions += 1
    await target.waitFor()
    if (this.way.by === 'keys') await tabTo(this.page, target)
    else if (this.way.on === 'phone') await target.tap()
    else await target.click()
  }

  /** Presses what is pressed; boxes by the space bar. */
  async use(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    await this.reach(target)
    if (this.way.by === 'keys') await this.page.keyboard.press(key)
  }

  press(button: string): Promise<void> {
    return this.use(this.page.getByRole('button', { name: button, exact: true }))
  }

  open(link: string | RegExp): Promise<void> {
    const links = this.page.getByRole('link', { name: link, exact: true })
    return this.use(links.filter({ visible: true }).first())
  }

  /** Writes into a field in place of what it holds. */
  async write(target: Locator, text: string): Promise<void> {
    await this.reach(target)
    await this.page.keyboard.press('ControlOrMeta+a')
    await this.page.keyboard.insertText(text)
  }

  /** Chooses from a list of the browser's own. */
  async choose(target: Locator, label: string): Promise<void> {
    await this.reach(target)
    if (this.way.by === 'keys') await this.page.keyboard.type(label)
    else await target.selectOption({ label })
  }

  /** Writes a name into a field, and chooses what it suggests. */
  async suggest(target: Locator, name: string): Promise<void> {
    await this.write(target, name)
    const option = this.page.getByRole('option', { name })
    if (this.way.by === 'pointer') return this.use(option)
    await option.waitFor()
    await this.page.keyboard.press('ArrowDown')
    this.actions += 1
    return this.page.keyboard.press('Enter')
  }

  /** Chooses a file, by what opens the dialog for it. */
  async pick(target: Locator, file: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
    const [dialog] = await Promise.all([this.page.waitForEvent('filechooser'), this.use(target)])
    await dialog.setFiles(file)
  }

  /** Does by a key what the pointer does by a button. */
  async shortcut(key: string, button: string): Promise<void> {
    if (this.way.by === 'pointer') return this.press(button)
    this.actions += 1
    return this.page.keyboard.press(key)
  }
}

/** A visitor who goes this way; signed in as somebody of the demo unless that is null. @param viewport another size of the screen */
export async function visitorBy(
  url: string,
  way: Way,
  person: string | null,
  viewport: { width: number; height: number } = SCREENS[way.on].viewport,
): Promise<Hands> {
  const page = await newVisitor(url, { ...SCREENS[way.on], viewport })
  if (person !== null) await enter(page, person)
  return new Hands(page, way)
}
