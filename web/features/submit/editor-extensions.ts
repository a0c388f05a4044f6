/** The extensions of the code editor; compartments hold the ones that settings change. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { Compartment, EditorState, Prec, Transaction, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import type { Language } from '#contract/languages'
import { codeColours } from '../../lib/text/code-colours.ts'
import { GRAMMARS } from '../../lib/text/grammars.ts'
import type { EditorSettings } from '../../lib/drafts/editor-settings.ts'
import { isSendKey } from '../../lib/text/input-method.ts'

/** How long after Esc the Tab key leaves the editor, in ms. */
const LEAVE_MS = 2_000

/** The language mode. */
export const languagePart = new Compartment()
/** The tab width. */
export const tabPart = new Compartment()

/** Loads the mode of a language: colours, indentation, and marks on characters that are none of its signs. */
export async function loadLanguageMode(language: Language | null): Promise<Extension> {
  if (language === null) return []
  const [mode, { misplacedMarks }] = await Promise.all([
    GRAMMARS[language.editor].loadMode(),
    import('./misplaced-marks.ts'),
  ])
  return [mode, misplacedMarks]
}

export function tabWidth(columns: EditorSettings['tabWidth']): Extension {
  return [EditorState.tabSize.of(columns), indentUnit.of(' '.repeat(columns))]
}

interface EditorParts {
  settings: EditorSettings
  attributes: Record<string, string>
  /** Called when the user has changed the text. */
  onTyped: () => void
  onSubmit: () => void
}

/** Keys of the page: Ctrl/Cmd+Enter submits; Esc, then Tab, leaves. */
function keysOfThePage(onSubmit: () => void): Extension {
  return [
    Prec.highest(
      EditorView.domEventHandlers({
        keydown(event) {
          if (!isSendKey(event)) return false
          event.preventDefault()
          onSubmit()
          return true
        },
      }),
    ),
    EditorView.domEventObservers({
      keydown(event, view) {
        if (event.key === 'Escape') view.setTabFocusMode(LEAVE_MS)
      },
    }),
  ]
}

/** All extensions. The language mode is added once it is loaded. */
export function editorExtensions(parts: EditorParts): Extension {
  const { settings, attributes, onTyped, onSubmit } = parts
  return [
    keysOfThePage(onSubmit),
    lineNumbers(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    tabPart.of(tabWidth(settings.tabWidth)),
    syntaxHighlighting(codeColours),
    keymap.of([
      indentWithTab,
      ...historyKeymap,
      ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
    ]),
    languagePart.of([]),
    EditorView.contentAttributes.of(attributes),
    EditorView.updateListener.of(({ docChanged, transactions }) => {
      if (docChanged && !transactions.some((change) => change.annotation(Transaction.remote)))
        onTyped()
    }),
  ]
}
