import { Tabs, Textarea, type TextareaProps } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './markdown-field.module.css'
import { Markdown } from './markdown.tsx'

interface MarkdownFieldProps extends Omit<TextareaProps, 'value' | 'defaultValue' | 'onChange'> {
  label: string
  value: string
  onChange: (value: string) => void
}

/** A Markdown text with its preview: beside it where there is room, else as a tab. */
export function MarkdownField({ value, onChange, label, ...props }: MarkdownFieldProps) {
  const { t } = useTranslation()
  const [tab, setTab] = useState<string | null>('write')
  return (
    <div className={classes.field}>
      <Tabs value={tab} onChange={setTab} className={classes.tabs} variant="pills">
        <Tabs.List aria-label={label}>
          <Tabs.Tab value="write">{t('markdown.write')}</Tabs.Tab>
          <Tabs.Tab value="preview">{t('markdown.preview')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="write" pt="xs">
          <Textarea
            {...props}
            label={label}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            autosize
            minRows={props.minRows ?? 4}
            maxRows={28}
            classNames={{ input: classes.input }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="preview" pt="xs">
          <div className={`app-card ${classes.preview}`}>
            {value.trim() === '' ? t('markdown.nothing') : <Markdown text={value} />}
          </div>
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}
