/** How the code editor looks and listens to the keyboard; chosen on the settings page, kept in this browser. */
import { useSyncExternalStore } from 'react'
import * as z from 'zod'
import { readStored, STORAGE_KEYS, writeStored } from './storage.ts'

/** The choices. */
export const FONT_SIZES_PX = [12, 13, 14, 16, 18, 20, 24] as const
export const TAB_WIDTHS = [2, 4, 8] as const
export const KEY_MAPS = ['default', 'vim', 'emacs'] as const

/** A setting that cannot be parsed falls back to its default. */
const editorSettings = z
  .object({
    fontSizePx: z.literal(FONT_SIZES_PX).catch(14),
    /** Columns of a tab, and spaces of one indentation. */
    tabWidth: z.literal(TAB_WIDTHS).catch(4),
    keyMap: z.enum(KEY_MAPS).catch('default'),
    /** A plain text field instead of the editor, for screen readers. */
    plain: z.boolean().catch(false),
  })
  .catch({ fontSizePx: 14, tabWidth: 4, keyMap: 'default', plain: false })
export type EditorSettings = z.infer<typeof editorSettings>

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Parses the stored settings. */
export function toEditorSettings(stored: string | null): EditorSettings {
  return editorSettings.parse(stored === null ? null : parseJson(stored))
}

let current: EditorSettings | undefined
const listeners = new Set<() => void>()

function read(): EditorSettings {
  current ??= toEditorSettings(readStored(STORAGE_KEYS.editor))
  return current
}

function subscribe(listener: () => void): () => void {
  function onStorage(event: StorageEvent) {
    if (event.key !== STORAGE_KEYS.editor && event.key !== null) return
    current = undefined
    listener()
  }
  listeners.add(listener)
  // Another tab has changed them.
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}

/** The current settings, updated on changes, also in another tab. */
export function useEditorSettings(): EditorSettings {
  return useSyncExternalStore(subscribe, read)
}

/** Changes some settings; without storage for this visit only. */
export function changeEditorSettings(change: Partial<EditorSettings>): void {
  current = { ...read(), ...change }
  writeStored(STORAGE_KEYS.editor, JSON.stringify(current))
  for (const listener of listeners) listener()
}
