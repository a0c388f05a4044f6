/** How the code editor looks and listens to the keyboard; chosen on the settings page, kept in this browser. */
import * as z from 'zod'
import { parseJson } from '../api/parse-json.ts'
import { readStored, STORAGE_KEYS, writeStored } from '../storage.ts'
import { createStore } from '../store.ts'

/** The choices. */
export const FONT_SIZES_PX = [12, 13, 14, 16, 18, 20, 24] as const
export const TAB_WIDTHS = [2, 4, 8] as const

/** A setting that cannot be parsed falls back to its default. */
const editorSettings = z
  .object({
    fontSizePx: z.literal(FONT_SIZES_PX).catch(14),
    /** Columns of a tab, and spaces of one indentation. */
    tabWidth: z.literal(TAB_WIDTHS).catch(4),
    /** A plain text field instead of the editor, for screen readers. */
    plain: z.boolean().catch(false),
  })
  .catch({ fontSizePx: 14, tabWidth: 4, plain: false })
export type EditorSettings = z.infer<typeof editorSettings>

/** Parses the stored settings. */
export function toEditorSettings(stored: string | null): EditorSettings {
  return editorSettings.parse(parseJson(stored))
}

const settings = createStore(toEditorSettings(readStored(STORAGE_KEYS.editor)))

// Another tab has changed the settings. Outside of a browser, `addEventListener` does not exist.
globalThis.addEventListener?.('storage', ({ key }) => {
  if (key === STORAGE_KEYS.editor || key === null)
    settings.set(toEditorSettings(readStored(STORAGE_KEYS.editor)))
})

/** The current settings, updated on changes, also in another tab. */
export const useEditorSettings = settings.use

/** Changes some settings; without storage only for this visit. */
export function changeEditorSettings(change: Partial<EditorSettings>): void {
  settings.set({ ...settings.get(), ...change })
  writeStored(STORAGE_KEYS.editor, JSON.stringify(settings.get()))
}
