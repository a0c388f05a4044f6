import type { Root } from 'hast'
import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { markdownParts } from './markdown-parts.tsx'
import type { MarkdownProps } from './markdown.tsx'

interface MarkdownTreeProps extends Required<Pick<MarkdownProps, 'below' | 'parts'>> {
  tree: Root
}

/** Renders the tree that the Markdown worker has parsed and sanitized. */
export function MarkdownTree({ tree, below, parts }: MarkdownTreeProps) {
  return toJsxRuntime(tree, {
    Fragment,
    jsx,
    jsxs,
    components: { ...markdownParts(below), ...parts },
    ignoreInvalidStyle: true,
    passKeys: true,
    passNode: false,
  })
}
