import type { Root } from 'hast'
import ReactMarkdown from 'react-markdown'
import { markdownParts } from './markdown-parts.tsx'
import type { MarkdownProps } from './markdown.tsx'

interface MarkdownTreeProps extends Required<Pick<MarkdownProps, 'below'>> {
  tree: Root
}

/** A Markdown text that has been read. React-markdown makes its addresses and its HTML harmless, as it does with a text. */
export function MarkdownTree({ tree, below }: MarkdownTreeProps) {
  return (
    <ReactMarkdown
      rehypePlugins={[() => () => structuredClone(tree)]}
      components={markdownParts(below)}
    >
      {''}
    </ReactMarkdown>
  )
}
