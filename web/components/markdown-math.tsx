import 'katex/dist/katex.min.css'
import ReactMarkdown from 'react-markdown'
import rehypeKatex from 'rehype-katex'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import { markdownParts } from './markdown-parts.tsx'
import type { MarkdownProps } from './markdown.tsx'

/** `trust: false` keeps links, classes and HTML out of formulas; the limits keep a formula from growing without end. */
const KATEX_OPTIONS = {
  trust: false,
  strict: false,
  maxExpand: 500,
  maxSize: 20,
  // Readable in both schemes.
  errorColor: 'var(--mantine-color-error)',
} as const

/** Markdown with math. */
export function MathMarkdown({ text, below }: Required<MarkdownProps>) {
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm, remarkMath]}
      rehypePlugins={[[rehypeKatex, KATEX_OPTIONS]]}
      components={markdownParts(below)}
    >
      {text}
    </ReactMarkdown>
  )
}
