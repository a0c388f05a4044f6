import { EditorState } from '@codemirror/state'
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
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const settings = useEditorSettings()
  // The editor lives longer than the callbacks of one render.
  const latest = useRef({ ...props, settings })
  useEffect(() => {
    latest.current = { ...props, settings }
  })

  useEffect(() => {
    if (place.current === null) return
    const { value, language, label, describedBy, settings: chosen } = latest.current
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: value,
        extensions: editorExtensions({
          language,
          settings: chosen,
          attributes: { 'aria-label': label, 'aria-describedby': describedBy },
          onChange: (text) => latest.current.onChange(text),
          onSubmit: (text) => latest.current.onSubmit(text),
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

  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === props.value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.value } })
  }, [props.value])

  return (
    <div ref={place} className={classes.editor} style={{ fontSize: `${settings.fontSizePx}px` }} />
  )
}
