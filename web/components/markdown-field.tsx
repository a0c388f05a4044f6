import { Button, Input, Textarea, type TextareaProps } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './markdown-field.module.css'
import { Markdown, type MarkdownProps } from './markdown.tsx'

interface MarkdownFieldProps extends Omit<TextareaProps, 'value' | 'defaultValue' | 'onChange'> {
  label: string
  value: string
  onChange: (value: string) => void
  /** Level of the heading above the field. Default 2. */
  below?: MarkdownProps['below']
}

/** A Markdown text with its live preview: beside it where there is room, else below. */
export function MarkdownField({ value, onChange, label, below = 2, ...props }: MarkdownFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const [preview, setPreview] = useState(false)
  return (
    <div>
      <div className={classes.head}>
        <Input.Label htmlFor={id} id={`${id}-label`}>
          {label}
        </Input.Label>
        <Button
          size="compact-xs"
          variant={preview ? 'light' : 'subtle'}
          aria-pressed={preview}
          aria-describedby={`${id}-label`}
          onClick={() => setPreview(!preview)}
        >
          {t('markdown.preview')}
        </Button>
      </div>
      <div className={preview ? classes.both : undefined}>
        <Textarea
          {...props}
          id={id}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          autosize
          minRows={props.minRows ?? 4}
          maxRows={28}
          classNames={{ input: classes.input }}
        />
        {preview ? (
          <div className={`app-card ${classes.preview}`}>
            {value.trim() === '' ? t('markdown.nothing') : <Markdown text={value} below={below} />}
          </div>
        ) : null}
      </div>
    </div>
  )
}
