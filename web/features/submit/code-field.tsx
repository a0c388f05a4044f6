import { Skeleton, Switch, Textarea } from '@mantine/core'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#contract/languages'
import { FallbackBoundary } from '../../components/fallback-boundary.tsx'
import { changeEditorSettings, useEditorSettings } from '../../lib/editor-settings.ts'
import classes from './code-editor.module.css'
import type { WrittenCode } from './written-code.ts'

export interface CodeFieldProps {
  code: WrittenCode
  language: Language | null
  label: string
  /** Id of the text that explains the keys. */
  describedBy: string
  /** Called at every key instead of `code.typed`; must be fast. */
  onTyped: WrittenCode['typed']
  /** Ctrl/Cmd+Enter. */
  onSubmit: () => void
}

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }))

/** A plain text field, for screen readers and where the editor cannot be loaded. */
function PlainField({ code, label, describedBy, onTyped, onSubmit }: CodeFieldProps) {
  const { fontSizePx, tabWidth } = useEditorSettings()
  const field = useRef<HTMLTextAreaElement>(null)
  const [first] = useState(() => code.read())
  useEffect(
    () =>
      code.onPut((text) => {
        if (field.current) field.current.value = text
      }),
    [code],
  )
  return (
    <Textarea
      aria-label={label}
      aria-describedby={describedBy}
      ref={field}
      defaultValue={first}
      onChange={({ currentTarget }) => onTyped(() => currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          onSubmit()
        }
      }}
      spellCheck={false}
      autoCapitalize="off"
      autoCorrect="off"
      wrap="off"
      rows={24}
      classNames={{ input: classes.plain }}
      styles={{ input: { fontSize: `${fontSizePx}px`, tabSize: tabWidth } }}
    />
  )
}

/** The field for the program: the editor, or a plain text field for those who prefer it. */
export function CodeField(props: CodeFieldProps) {
  const { t } = useTranslation()
  const { plain } = useEditorSettings()
  return (
    <>
      {plain ? (
        <PlainField {...props} />
      ) : (
        <FallbackBoundary fallback={<PlainField {...props} />}>
          <Suspense fallback={<Skeleton className={classes.loading} />}>
            <CodeEditor {...props} />
          </Suspense>
        </FallbackBoundary>
      )}
      <Switch
        size="xs"
        mt={8}
        label={t('submit.plain')}
        checked={plain}
        onChange={(event) => changeEditorSettings({ plain: event.currentTarget.checked })}
      />
    </>
  )
}
