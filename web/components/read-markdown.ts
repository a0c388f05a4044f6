/** From a text in Markdown to the tree that is shown: GFM, formulas and callouts. */
import type { Nodes, Root } from 'hast'
import type { Nodes as MarkdownNodes, Root as MarkdownRoot } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { mayHoldMath } from '../lib/math-in-text.ts'
import { remarkBracketMath } from './bracket-math.ts'
import { makeHarmless } from './harmless-tree.ts'
import { markCallouts } from './mark-callouts.ts'

/** Nodes and depth a page can render without a pause; no honest text comes near. */
const MOST_NODES = 20_000
const DEEPEST = 100

/** `trust: false` keeps links, classes and HTML out of formulas; the limits bound their expansion. */
const KATEX_OPTIONS = {
  trust: false,
  strict: false,
  maxExpand: 500,
  maxSize: 20,
  // Readable in both schemes.
  errorColor: 'var(--mantine-color-error)',
} as const

/** The number of nodes; infinite if the tree is too deep. */
function countNodes(node: Nodes, depth = 0): number {
  if (depth > DEEPEST) return Number.POSITIVE_INFINITY
  if (!('children' in node)) return 1
  return node.children.reduce((sum, child) => sum + countNodes(child, depth + 1), 1)
}

/** Formulas in a line that are written as display ones: `$$…$$` and `\[…\]`. remark-math takes them for inline ones. */
function markDisplays(node: MarkdownNodes, text: string): void {
  if (node.type === 'inlineMath') {
    const start = node.position?.start.offset ?? 0
    if (/^(\$\$|\\\[)/.test(text.slice(start, start + 2)))
      node.data = {
        ...node.data,
        hProperties: { className: ['language-math', 'math-display'] },
      }
  } else if ('children' in node) for (const child of node.children) markDisplays(child, text)
}

/** The tree of a text, harmless; undefined where it is too large to show. */
export async function treeOfMarkdown(text: string): Promise<Root | undefined> {
  const processor = unified().use(remarkParse).use(remarkGfm)
  // HTML stays in the tree; `makeHarmless` turns it into text.
  const options = { allowDangerousHtml: true }
  const steps = mayHoldMath(text)
    ? processor
        .use(remarkMath)
        .use(remarkBracketMath)
        .use(remarkRehype, options)
        .use((await import('rehype-katex')).default, KATEX_OPTIONS)
    : processor.use(remarkRehype, options)
  const parsed: MarkdownRoot = steps.parse(text)
  markCallouts(parsed)
  markDisplays(parsed, text)
  const tree = steps.runSync(parsed)
  if (countNodes(tree) > MOST_NODES) return undefined
  makeHarmless(tree)
  return tree
}
