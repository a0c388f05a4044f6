/** The grammars of the editor, each in files of its own that are loaded when needed; C is read as C++. */
import type { EditorMode } from '#contract/languages'

/**
 * `loadParser` loads what colours code outside the editor. `loadMode` is for the editor: the mode also indents, but
 * completes no words.
 */
export const GRAMMARS = {
  cpp: {
    loadParser: async () => (await import('@lezer/cpp')).parser,
    loadMode: async () => (await import('@codemirror/lang-cpp')).cppLanguage,
  },
  python: {
    loadParser: async () => (await import('@lezer/python')).parser,
    loadMode: async () => (await import('@codemirror/lang-python')).pythonLanguage,
  },
} satisfies Record<EditorMode, object>
