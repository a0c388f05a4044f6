import { EditorState, Transaction } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { useEditorSettings, type EditorSettings } from '../../lib/drafts/editor-settings.ts'
import classes from './code-editor.module.css'
import type { CodeFieldProps } from './code-field.tsx'
import {
  editorExtensions,
  languagePart,
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

  // Before painting, so that no key is lost between the plain text field and the editor that replaces it.
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

/** Loads the language's mode; offline the editor stays as it is. */
function useLanguageMode(view: RefObject<EditorView | null>, language: CodeFieldProps['language']) {
  useEffect(() => {
    let isWanted = true
    async function change() {
      const mode = await loadLanguageMode(language)
      if (isWanted) view.current?.dispatch({ effects: languagePart.reconfigure(mode) })
    }
    change().catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [view, language])
}

/** CodeMirror with the language's mode. Tab indents; Esc, then Tab, leaves. */
export function CodeEditor(props: CodeFieldProps) {
  const settings = useEditorSettings()
  const { box, view } = useEditorView(props, settings)
  const { code, language } = props

  useLanguageMode(view, language)

  useEffect(() => {
    view.current?.dispatch({ effects: tabPart.reconfigure(tabWidth(settings.tabWidth)) })
  }, [view, settings.tabWidth])

  useLayoutEffect(
    () =>
      code.attach({
        put: (text) =>
          view.current?.dispatch({
            changes: { from: 0, to: view.current.state.doc.length, insert: text },
            annotations: Transaction.remote.of(true),
          }),
        goTo(line) {
          const { current } = view
          if (current === null) return
          const { from } = current.state.doc.line(Math.min(line, current.state.doc.lines))
          current.dispatch({ selection: { anchor: from }, scrollIntoView: true })
          current.focus()
        },
      }),
    [view, code],
  )

  return (
    <div ref={box} className={classes.editor} style={{ fontSize: `${settings.fontSizePx}px` }} />
  )
}
