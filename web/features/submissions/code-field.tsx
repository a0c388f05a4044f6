import { Skeleton, Switch, Textarea } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#contract/languages'
import { FallbackBoundary } from '../../components/fallback-boundary.tsx'
import { changeEditorSettings, useEditorSettings } from '../../lib/editor-settings.ts'
import classes from './code-editor.module.css'

export interface CodeFieldProps {
  value: string
  language: Language | null
  label: string
  /** Id of the text that tells which keys do what. */
  describedBy: string
  onChange: (value: string) => void
  /** Ctrl/Cmd+Enter, with the text of that very moment: `value` may be one keystroke behind. */
  onSubmit: (value: string) => void
}

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }))

/** The browser's own field: what every screen reader knows, and what is left when the editor cannot be loaded. */
function PlainField({ value, label, describedBy, onChange, onSubmit }: CodeFieldProps) {
  const { fontSizePx, tabWidth } = useEditorSettings()
  return (
    <Textarea
      aria-label={label}
      aria-describedby={describedBy}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          onSubmit(event.currentTarget.value)
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

/** Where the program is written: the editor, or a plain text field for who prefers one. */
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
