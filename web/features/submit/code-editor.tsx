import { EditorState, Transaction, type Compartment, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { useEditorSettings, type EditorSettings } from '../../lib/editor-settings.ts'
import classes from './code-editor.module.css'
import type { CodeFieldProps } from './code-field.tsx'
import {
  editorExtensions,
  keyMapPart,
  languagePart,
  loadKeyMap,
  loadLanguageMode,
  tabPart,
  tabWidth,
} from './editor-extensions.ts'

/** Creates the editor once; it always calls the newest callbacks. */
function useEditorView(props: CodeFieldProps, settings: EditorSettings) {
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  // The editor lives longer than the callbacks of one render.
  const latest = useRef({ ...props, settings })
  useEffect(() => {
    latest.current = { ...props, settings }
  })

  // At once, so that no key falls between the plain text field and the editor that takes its place.
  useLayoutEffect(() => {
    if (box.current === null) return
    const { code, label, describedBy, settings: chosen } = latest.current
    const caret = code.takeCaret()
    const editor = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc: code.read(),
        ...(caret && { selection: caret }),
        extensions: editorExtensions({
          settings: chosen,
          attributes: { 'aria-label': label, 'aria-describedby': describedBy },
          onTyped: () => latest.current.onTyped(() => editor.state.doc.toString()),
          onSubmit: () => latest.current.onSubmit(),
        }),
      }),
    })
    view.current = editor
    if (caret?.isFocused) editor.focus()
    return () => editor.destroy()
  }, [])
  return { box, view }
}

/** Puts what is loaded into its part of the editor; offline the part stays as it is. */
function useLoadedPart<Choice>(
  view: RefObject<EditorView | null>,
  part: Compartment,
  load: (choice: Choice) => Promise<Extension>,
  choice: Choice,
) {
  useEffect(() => {
    let wanted = true
    async function change() {
      const extension = await load(choice)
      if (wanted) view.current?.dispatch({ effects: part.reconfigure(extension) })
    }
    change().catch(() => undefined)
    return () => {
      wanted = false
    }
  }, [view, part, load, choice])
}

/** CodeMirror with the language's mode and the chosen keys. Tab indents; Esc, then Tab, leaves. */
export function CodeEditor(props: CodeFieldProps) {
  const settings = useEditorSettings()
  const { box, view } = useEditorView(props, settings)
  const { code, language } = props

  useLoadedPart(view, languagePart, loadLanguageMode, language)
  useLoadedPart(view, keyMapPart, loadKeyMap, settings.keyMap)

  useEffect(() => {
    view.current?.dispatch({ effects: tabPart.reconfigure(tabWidth(settings.tabWidth)) })
  }, [view, settings.tabWidth])

  useEffect(
    () =>
      code.onPut((text) =>
        view.current?.dispatch({
          changes: { from: 0, to: view.current.state.doc.length, insert: text },
          annotations: Transaction.remote.of(true),
        }),
      ),
    [view, code],
  )

  return (
    <div ref={box} className={classes.editor} style={{ fontSize: `${settings.fontSizePx}px` }} />
  )
}
