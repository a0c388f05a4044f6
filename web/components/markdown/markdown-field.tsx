import { Button, Input, Textarea, type TextareaProps } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../lib/api/error-text.ts'
import { ImagesNotice } from './images-notice.tsx'
import classes from './markdown-field.module.css'
import { Markdown, type MarkdownProps } from './markdown.tsx'
import { useFileInsert } from './use-file-insert.ts'

interface MarkdownFieldProps extends Omit<TextareaProps, 'value' | 'defaultValue' | 'onChange'> {
  label: string
  value: string
  onChange: (value: string) => void
  /** Level of the heading above the field. Default 2. */
  below?: MarkdownProps['below']
  /** Stores a file that is dropped or pasted, and gives the Markdown that shows it. */
  onFile?: ((file: File) => Promise<string>) | undefined
  /** Whether a notice says which images readers see only as links. For authors who can upload images. */
  notesImages?: boolean
}

/** Screens on which the text and its preview stand side by side. */
const WIDE = '(min-width: 900px)'
const ROWS = 4
/** A text with at least this many rows has its preview beside it from the start. */
const LONG_ROWS = 6

/** A Markdown text with its live preview: beside it where there is room, else below. */
export function MarkdownField(all: MarkdownFieldProps) {
  const {
    value,
    onChange,
    label,
    below = 2,
    onFile,
    error,
    minRows = ROWS,
    notesImages,
    ...props
  } = all
  const { t } = useTranslation()
  const id = useId()
  const [preview, setPreview] = useState(() => minRows >= LONG_ROWS && matchMedia(WIDE).matches)
  const errorText = useErrorText()
  const { field, insert, handlers } = useFileInsert(onChange, onFile)
  return (
    <div>
      <div className={classes.head}>
        <Input.Label htmlFor={id} id={`${id}-label`}>
          {label}
        </Input.Label>
        <Button
          size="compact-sm"
          variant={preview ? 'light' : 'subtle'}
          aria-pressed={preview}
          aria-describedby={`${id}-label`}
          onClick={() => setPreview(!preview)}
        >
          {t('markdown.preview')}
        </Button>
      </div>
      <output className={classes.status}>
        {insert.isPending ? t('markdown.adding', { name: insert.variables.name }) : null}
      </output>
      <div className={preview ? classes.both : undefined}>
        <Textarea
          {...props}
          {...handlers}
          ref={field}
          id={id}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={insert.error ? errorText(insert.error) : error}
          autosize
          minRows={minRows}
          maxRows={28}
          classNames={{ input: classes.input }}
        />
        {preview ? (
          <div className={`app-card ${classes.preview}`}>
            {value.trim() === '' ? t('markdown.nothing') : <Markdown text={value} below={below} />}
          </div>
        ) : null}
      </div>
      {notesImages ? <ImagesNotice text={value} /> : null}
    </div>
  )
}
