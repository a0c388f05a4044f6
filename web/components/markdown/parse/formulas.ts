/** Renders formulas. Loaded only for texts that hold some, after the editor. */
import type { Root } from 'hast'
import rehypeKatex from 'rehype-katex'
import { unified } from 'unified'

/** `trust: false` keeps links, classes and HTML out of formulas; the limits bound their expansion. */
const OPTIONS = {
  trust: false,
  strict: false,
  maxExpand: 500,
  maxSize: 20,
  // Readable in both schemes.
  errorColor: 'var(--mantine-color-error)',
} as const

export function renderFormulas(tree: Root): void {
  unified().use(rehypeKatex, OPTIONS).runSync(tree)
}
