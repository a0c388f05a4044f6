/** Local storage: the app's keys, and access that tolerates browsers without storage. */

export const STORAGE_KEYS = {
  miniSidebar: 'mini-sidebar',
  locale: 'locale',
  lastUsedLanguage: 'last-used-lang',
  /** Also read by public/color-scheme.js. */
  colorScheme: 'color-scheme',
  /** The end of the path of the admin page that was open last. */
  adminTab: 'admin-tab',
  /** Set if the last person who signed in has marked the computer as shared. */
  sharedComputer: 'shared-computer',
  /** How close the rows of lists stand. */
  listDensity: 'list-density',
  /** What the editor looks like, as JSON. */
  editor: 'editor-settings',
  /** How much of the submit page's width the statement takes, in per cent. */
  submitSplit: 'submit-split',
} as const

/** The stored text; null if there is none or storage is disabled. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores a text. @returns false if storage is full or disabled */
export function writeStored(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}

/** Forgets a stored text. */
export function removeStored(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Without storage, nothing was stored.
  }
}

/** The keys of all stored texts. */
export function storedKeys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}
