import { EditorState, Transaction } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { useEditorSettings } from '../../lib/editor-settings.ts'
import classes from './code-editor.module.css'
import type { CodeFieldProps } from './code-field.tsx'
import {
  editorExtensions,
  keyMapPart,
  languageMode,
  languagePart,
  loadKeyMap,
  tabPart,
  tabWidth,
} from './editor-extensions.ts'

/** CodeMirror with the language's mode and the chosen keys. Tab indents; Esc, then Tab, leaves. */
export function CodeEditor(props: CodeFieldProps) {
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const settings = useEditorSettings()
  // The editor lives longer than the callbacks of one render.
  const latest = useRef({ ...props, settings })
  useEffect(() => {
    latest.current = { ...props, settings }
  })

  useEffect(() => {
    if (box.current === null) return
    const { code, language, label, describedBy, settings: chosen } = latest.current
    const editor = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc: code.read(),
        extensions: editorExtensions({
          language,
          settings: chosen,
          attributes: { 'aria-label': label, 'aria-describedby': describedBy },
          onTyped: () => latest.current.onTyped(() => editor.state.doc.toString()),
          onSubmit: () => latest.current.onSubmit(),
        }),
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [])

  useEffect(() => {
    view.current?.dispatch({ effects: languagePart.reconfigure(languageMode(props.language)) })
  }, [props.language])

  useEffect(() => {
    view.current?.dispatch({ effects: tabPart.reconfigure(tabWidth(settings.tabWidth)) })
  }, [settings.tabWidth])

  useEffect(() => {
    let wanted = true
    async function change() {
      const keys = await loadKeyMap(settings.keyMap)
      if (wanted) view.current?.dispatch({ effects: keyMapPart.reconfigure(keys) })
    }
    // Offline the keys stay as they are.
    change().catch(() => undefined)
    return () => {
      wanted = false
    }
  }, [settings.keyMap])

  const { code } = props
  useEffect(
    () =>
      code.onPut((text) =>
        view.current?.dispatch({
          changes: { from: 0, to: view.current.state.doc.length, insert: text },
          annotations: Transaction.remote.of(true),
        }),
      ),
    [code],
  )

  return (
    <div ref={box} className={classes.editor} style={{ fontSize: `${settings.fontSizePx}px` }} />
  )
}
