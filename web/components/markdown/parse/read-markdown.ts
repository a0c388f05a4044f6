/** From a text in Markdown to the tree that is shown: GFM, formulas and callouts. */
import type { Nodes, Root } from 'hast'
import type { Nodes as MarkdownNodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { mathFromMarkdown } from 'mdast-util-math'
import { toHast } from 'mdast-util-to-hast'
import { math } from 'micromark-extension-math'
import type { Site } from '../../../lib/text/text-address.ts'
import { adaptedGfm } from './adapted-gfm.ts'
import { cutAddresses } from './bare-address.ts'
import { eastAsianStars } from './east-asian-marks.ts'
import { formulaConstructs } from './formula-constructs.ts'
import { makeHarmless } from './harmless-tree.ts'
import { markCallouts } from './mark-callouts.ts'
import { loadNamedCharacters } from './named-characters.ts'

/** A page renders at most this many nodes, and nodes at most this deep, without a pause; ordinary texts have far less. */
const MOST_NODES = 20_000
const DEEPEST = 100

const SYNTAX = {
  extensions: [
    adaptedGfm(),
    eastAsianStars(),
    math({ singleDollarTextMath: false }),
    formulaConstructs(),
  ],
  mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
}

let renderFormulas: ((tree: Root) => void) | null = null

/** Parts that only some texts need; each is loaded by itself. */
const PARTS = {
  characters: loadNamedCharacters,
  async formulas() {
    ;({ renderFormulas } = await import('./formulas.ts'))
  },
}
export type MarkdownPart = keyof typeof PARTS

/** Loads a part; texts that are read afterwards use it. */
export function loadMarkdownPart(part: MarkdownPart): Promise<void> {
  return PARTS[part]()
}

/** A text that has been parsed, ready to be shown. */
export interface ReadText {
  tree: Root
  /** Whether the text's formulas are shown as typed, because the code that renders formulas is not loaded. */
  lacksFormulas: boolean
}

/** The number of nodes; infinite if the tree is too deep. */
function countNodes(node: Nodes, depth = 0): number {
  if (depth > DEEPEST) return Number.POSITIVE_INFINITY
  if (!('children' in node)) return 1
  return node.children.reduce((sum, child) => sum + countNodes(child, depth + 1), 1)
}

/** Marks display formulas within a line, `$$…$$` and `\[…\]`, which mdast-util-math takes for inline ones. */
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

/** Whether formulas are in a tree; rehype-katex knows them by the same class. */
function holdsFormulas(node: Nodes): boolean {
  if (!('children' in node)) return false
  const classes = node.type === 'element' ? node.properties['className'] : null
  if (Array.isArray(classes) && classes.includes('language-math')) return true
  return node.children.some(holdsFormulas)
}

/** The tree of a text, harmless; undefined where it is too large to show. */
export function readText(text: string, site: Site): ReadText | undefined {
  const parsed = fromMarkdown(text, SYNTAX)
  cutAddresses(parsed)
  markCallouts(parsed)
  markDisplays(parsed, text)
  // HTML stays in the tree; `makeHarmless` turns it into text.
  const made = toHast(parsed, { allowDangerousHtml: true })
  const tree: Root = made.type === 'root' ? made : { type: 'root', children: [made] }
  const hasFormulas = holdsFormulas(tree)
  if (hasFormulas) renderFormulas?.(tree)
  if (countNodes(tree) > MOST_NODES) return undefined
  makeHarmless(tree, site)
  return { tree, lacksFormulas: hasFormulas && renderFormulas === null }
}
