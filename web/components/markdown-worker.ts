/**
 * The worker that parses Markdown: some texts take minutes, by accident or by intent, and must not block the page.
 * Answers `{tree}`, or `{}` for a text that cannot be shown.
 */
import type { Nodes, Root } from 'hast'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { mayHoldMath } from '../lib/math-in-text.ts'
import { makeHarmless } from './harmless-tree.ts'

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

async function read(text: string): Promise<Root | undefined> {
  const processor = unified().use(remarkParse).use(remarkGfm)
  // HTML stays in the tree; `makeHarmless` turns it into text.
  const options = { allowDangerousHtml: true }
  const steps = mayHoldMath(text)
    ? processor
        .use(remarkMath)
        .use(remarkRehype, options)
        .use((await import('rehype-katex')).default, KATEX_OPTIONS)
    : processor.use(remarkRehype, options)
  const tree = steps.runSync(steps.parse(text))
  if (countNodes(tree) > MOST_NODES) return undefined
  makeHarmless(tree)
  return tree
}

addEventListener('message', ({ data }: MessageEvent<string>) => {
  read(data)
    .catch(() => undefined)
    .then((tree) => postMessage({ tree }))
    .catch(() => postMessage({}))
})

postMessage('ready')
