import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { cpp } from '@codemirror/lang-cpp'
import { python } from '@codemirror/lang-python'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { Language } from '#contract/languages'
import type { EditorMode } from '#contract/languages/language'
import classes from './code-editor.module.css'
import { codeColours } from './code-colours.ts'

const MODES: Record<EditorMode, () => Extension> = { cpp, python, text: () => [] }

function modeOf(language: Language | null): Extension {
  return MODES[language?.editor ?? 'text']()
}

interface CodeEditorProps {
  value: string
  language: Language | null
  label: string
  /** Id of the text that tells how the keyboard leaves the editor. */
  describedBy: string
  onChange: (value: string) => void
  /** Ctrl/Cmd+Enter, with the text of that very moment: `value` may be one keystroke behind. */
  onSubmit: (value: string) => void
}

/** CodeMirror with the language's mode. Tab indents; Esc, then Tab, leaves. */
export function CodeEditor(props: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const mode = useRef(new Compartment())
  // The editor lives longer than the callbacks of one render.
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    if (place.current === null) return
    const { value, language, label, describedBy } = latest.current
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          indentUnit.of('    '),
          syntaxHighlighting(HighlightStyle.define(codeColours)),
          keymap.of([
            {
              key: 'Mod-Enter',
              run: ({ state }) => {
                latest.current.onSubmit(state.doc.toString())
                return true
              },
            },
            indentWithTab,
            ...historyKeymap,
            ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
          ]),
          mode.current.of(modeOf(language)),
          EditorView.contentAttributes.of({
            'aria-label': label,
            'aria-describedby': describedBy,
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [])

  useEffect(() => {
    view.current?.dispatch({ effects: mode.current.reconfigure(modeOf(props.language)) })
  }, [props.language])

  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === props.value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.value } })
  }, [props.value])

  return <div ref={place} className={classes.editor} />
}
