import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { markdownParts } from './markdown-parts.tsx'

/** Markdown without math. */
export function PlainMarkdown({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} components={markdownParts}>
      {text}
    </ReactMarkdown>
  )
}
