import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { markdownParts } from './markdown-parts.tsx'
import type { MarkdownProps } from './markdown.tsx'

/** Markdown without math. */
export function PlainMarkdown({ text, below }: Required<MarkdownProps>) {
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} components={markdownParts(below)}>
      {text}
    </ReactMarkdown>
  )
}
