import { Skeleton } from '@mantine/core'
import type { Root } from 'hast'
import { lazy, Suspense, useEffect, useState } from 'react'
import { knownMarkdown, prepareMarkdown, readMarkdown } from '../lib/markdown-thread.ts'
import { mayHoldMath } from '../lib/math-in-text.ts'
import { FallbackBoundary } from './fallback-boundary.tsx'
import classes from './markdown.module.css'

function loadTree() {
  return import('./markdown-tree.tsx')
}

const MarkdownTree = lazy(async () => ({ default: (await loadTree()).MarkdownTree }))

// Whoever loads this file is about to show a text: what reads and shows it comes while the text itself is on its way.
prepareMarkdown()
loadTree().catch(() => undefined)

/** An ordinary line of text on a page. */
const LINE_LETTERS = 80
const LINE_PX = 27
/** Whatever is below that is out of sight anyway. */
const TALLEST_PX = 900

export interface MarkdownProps {
  text: string
  /** Level of the heading above the text; its own headings go on from there. Default 2. */
  below?: 1 | 2
}

/** The tree of a text, or of what stood there before until it has been read; null for one to be shown as it was typed. */
function useTree(text: string): Root | null | undefined {
  const [tree, setTree] = useState(() => knownMarkdown(text))
  useEffect(() => {
    if (text.trim() === '') return
    const stop = new AbortController()
    async function read() {
      // The style sheet of formulas, which only texts with math need.
      if (mayHoldMath(text)) await import('katex/dist/katex.min.css')
      const found = await readMarkdown(text, stop.signal)
      if (!stop.signal.aborted) setTree(found)
    }
    read().catch(() => {
      if (!stop.signal.aborted) setTree(null)
    })
    return () => stop.abort()
  }, [text])
  return tree
}

/** About how tall a text will stand, in px, so that what is below it hardly moves when it has been read. */
function likelyHeight(text: string): number {
  const lines = text
    .split('\n')
    .reduce((sum, line) => sum + Math.ceil(line.trim().length / LINE_LETTERS), 0)
  return Math.min(lines * LINE_PX, TALLEST_PX)
}

/** Markdown (GFM and math) as it stands on pages and in previews. Raw HTML is shown as text. */
export function Markdown({ text, below = 2 }: MarkdownProps) {
  const tree = useTree(text)
  if (text.trim() === '') return null
  // Offline the reader may be missing, and some texts cannot be read: the text itself is better than nothing.
  const asTyped = <p className={classes.plain}>{text}</p>
  if (tree === null) return asTyped
  const waiting = <Skeleton height={likelyHeight(text)} />
  return (
    <FallbackBoundary fallback={asTyped}>
      <div className={classes.markdown}>
        <Suspense fallback={waiting}>
          {tree === undefined ? waiting : <MarkdownTree tree={tree} below={below} />}
        </Suspense>
      </div>
    </FallbackBoundary>
  )
}
