/** A person at a page: by keys or by pointer, on a wide screen or on a phone. */
import type { Locator, Page } from 'playwright-core'
import { enter, newVisitor, type VisitorOptions } from './browser.ts'
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

/** The ways that a journey is tested: all four in full tests, otherwise two that together cover keys, pointer, wide and phone. */
export const WAYS = isFull ? [first, second, ...others] : [first, second]

/** Each file of a journey: in every way in full tests, otherwise in the two ways in turn. */
export function waysOf<T>(files: readonly T[]): (Way & { file: T })[] {
  return files.flatMap((file, index) =>
    (isFull ? WAYS : [index % 2 === 0 ? first : second]).map((way) => ({ ...way, file })),
  )
}

const SCREENS = {
  wide: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
} as const

/** Acts on a page by keys or by pointer. Each use of a control and each text written counts as one action. */
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

  /** Presses a control; a check box by the space bar. */
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

  /** Replaces the content of a field. */
  async write(target: Locator, text: string): Promise<void> {
    await this.reach(target)
    await this.page.keyboard.press('ControlOrMeta+a')
    await this.page.keyboard.insertText(text)
  }

  /** Chooses from the browser's own list. */
  async choose(target: Locator, label: string): Promise<void> {
    await this.reach(target)
    if (this.way.by === 'keys') await this.page.keyboard.type(label)
    else await target.selectOption({ label })
  }

  /** Types a name into a field and chooses the suggestion. */
  async suggest(target: Locator, name: string): Promise<void> {
    await this.write(target, name)
    const option = this.page.getByRole('option', { name })
    if (this.way.by === 'pointer') return this.use(option)
    await option.waitFor()
    await this.page.keyboard.press('ArrowDown')
    this.actions += 1
    return this.page.keyboard.press('Enter')
  }

  /** Chooses a file in the dialog that a control opens. */
  async pick(target: Locator, file: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
    const [dialog] = await Promise.all([this.page.waitForEvent('filechooser'), this.use(target)])
    await dialog.setFiles(file)
  }

  /** Acts by a keyboard shortcut, or by its button with the pointer. */
  async shortcut(key: string, button: string): Promise<void> {
    if (this.way.by === 'pointer') return this.press(button)
    this.actions += 1
    return this.page.keyboard.press(key)
  }
}

/** A visitor of this way, signed in as a demo user unless `person` is null. @param options such as another screen size */
export async function visitorBy(
  url: string,
  way: Way,
  person: string | null,
  options: VisitorOptions = {},
): Promise<Hands> {
  const page = await newVisitor(url, { ...SCREENS[way.on], ...options })
  if (person !== null) await enter(page, person)
  return new Hands(page, way)
}
