import { Textarea } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Language } from '#contract/languages'
import { caretOf } from '../../lib/drafts/early-code.ts'
import { useEditorSettings } from '../../lib/drafts/editor-settings.ts'
import { after, comes } from '../../lib/live/loading-order.ts'
import { isSendKey } from '../../lib/text/input-method.ts'
import classes from './code-editor.module.css'
import type { WrittenCode } from './written-code.ts'

export interface CodeFieldProps {
  code: WrittenCode
  language: Language | null
  label: string
  /** Id of the text that explains the keys. */
  describedBy: string
  /** Called at each key press instead of `code.typed`, so it must be fast. */
  onTyped: WrittenCode['typed']
  /** Ctrl/Cmd+Enter. */
  onSubmit: () => void
}

/** The editor, loaded from a file of its own, after the texts that people read first. */
const editorQuery = queryOptions({
  queryKey: ['code-editor'],
  queryFn: async () => {
    await after('texts')
    return (await import('./code-editor.tsx')).CodeEditor
  },
  staleTime: Infinity,
  retry: false,
  structuralSharing: false,
})

/** A plain text field: for screen readers, until the editor is loaded, and if it cannot be. */
function PlainField({ code, label, describedBy, onTyped, onSubmit }: CodeFieldProps) {
  const { fontSizePx, tabWidth } = useEditorSettings()
  const field = useRef<HTMLTextAreaElement>(null)
  const [first] = useState(() => code.read())
  useLayoutEffect(
    () =>
      code.attach({
        put(text) {
          if (field.current) field.current.value = text
        },
        goTo(line) {
          const { current } = field
          if (current === null) return
          const before = current.value.split('\n').slice(0, line - 1)
          const start = before.reduce((sum, { length }) => sum + length + 1, 0)
          current.focus()
          current.setSelectionRange(start, start)
        },
      }),
    [code],
  )
  useLayoutEffect(() => {
    const { current } = field
    const caret = code.takeCaret()
    if (caret !== null) {
      const { anchor, head } = caret
      current?.setSelectionRange(Math.min(anchor, head), Math.max(anchor, head))
      if (caret.isFocused) current?.focus()
    }
    return () => {
      if (current !== null) code.leaveCaret(caretOf(current))
    }
  }, [code])
  return (
    <Textarea
      aria-label={label}
      aria-describedby={describedBy}
      ref={field}
      defaultValue={first}
      onChange={({ currentTarget }) => onTyped(() => currentTarget.value)}
      onKeyDown={(event) => {
        if (isSendKey(event.nativeEvent)) {
          event.preventDefault()
          onSubmit()
        }
      }}
      spellCheck={false}
      autoCapitalize="off"
      autoCorrect="off"
      wrap="off"
      classNames={{ root: classes.plainBox, wrapper: classes.plainBox, input: classes.plain }}
      styles={{ input: { fontSize: `${fontSizePx}px`, tabSize: tabWidth } }}
    />
  )
}

/**
 * The field for the program: at first a plain text field; once loaded, the editor replaces it and keeps text and
 * cursor. The plain field stays for users who prefer it.
 */
export function CodeField(props: CodeFieldProps) {
  const { plain } = useEditorSettings()
  const { data: CodeEditor, isPending } = useQuery({ ...editorQuery, enabled: !plain })
  const isComing = isPending && !plain
  useEffect(() => (isComing ? comes('editor') : undefined), [isComing])
  // The editor does not replace the field while an input method composes a word.
  const [isComposing, setIsComposing] = useState(false)
  return CodeEditor && !plain && !isComposing ? (
    <CodeEditor {...props} />
  ) : (
    <div
      className={classes.plainBox}
      onCompositionStart={() => setIsComposing(true)}
      onCompositionEnd={() => setIsComposing(false)}
    >
      <PlainField {...props} />
    </div>
  )
}
