/** Renders formulas. Loaded after the editor, and only for texts with formulas. */
import type { Root } from 'hast'
import rehypeKatex from 'rehype-katex'
import { unified } from 'unified'

/** `trust: false` keeps links, classes and HTML out of formulas; the limits bound their expansion. */
const OPTIONS = {
  trust: false,
  strict: false,
  maxExpand: 500,
  maxSize: 20,
  // A colour that is readable in both schemes.
  errorColor: 'var(--mantine-color-error)',
} as const

export function renderFormulas(tree: Root): void {
  unified().use(rehypeKatex, OPTIONS).runSync(tree)
}
