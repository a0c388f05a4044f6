import { Skeleton } from '@mantine/core'
import type { Root } from 'hast'
import type { Components } from 'hast-util-to-jsx-runtime'
import { useEffect, useState } from 'react'
import { after, comes } from '../../lib/live/loading-order.ts'
import {
  knownMarkdown,
  loadMarkdown,
  prepareMarkdown,
  readMarkdown,
} from '../../lib/text/markdown-thread.ts'
import { FallbackBoundary } from '../feedback/fallback-boundary.tsx'
import type { MarkdownTree as LoadedTree } from './markdown-tree.tsx'
import classes from './markdown.module.css'

/** What shows a parsed text, once it is loaded. React would show a `lazy` component 0.3 s after the last placeholder. */
let MarkdownTree: typeof LoadedTree | null = null

async function loadTree(): Promise<void> {
  MarkdownTree = (await import('./markdown-tree.tsx')).MarkdownTree
}

/** For pages that will show a text: loads the parser and the view while the text is loading. */
export function useMarkdownSoon(): void {
  useEffect(() => {
    prepareMarkdown()
    loadTree().catch(() => undefined)
  }, [])
}

/** A typical line of text: its letters, and its height in px. */
const LINE_LETTERS = 80
const LINE_PX = 27
/** The largest estimate of a text's height: whatever lies further down is out of sight anyway. */
const TALLEST_PX = 900

/** Formulas that load longer than this, in ms, are shown as typed meanwhile. */
const FORMULAS_SOON_MS = 500

export interface MarkdownProps {
  text: string
  /** Level of the heading above the text; the text's own headings start one level below it. Default 2. */
  below?: 1 | 2
  /** Components that replace the usual components for these elements. */
  parts?: Components
}

/** Loads what renders formulas, and its style sheet. */
async function loadFormulas(): Promise<void> {
  await after('editor')
  await Promise.all([import('katex/dist/katex.min.css'), loadMarkdown('formulas')])
}

/** The parsed tree of a text. While the text is parsed, this is the previous tree; it is null if the text is shown as typed. */
function useTree(text: string): Root | null | undefined {
  const [tree, setTree] = useState(() => (MarkdownTree ? knownMarkdown(text) : undefined))
  useEffect(() => {
    if (text.trim() === '') return
    const stop = new AbortController()
    const { signal } = stop
    function show(found: Root | null) {
      if (!signal.aborted) setTree(found)
    }
    const isRead = comes('texts')
    async function read() {
      const [first] = await Promise.all([readMarkdown(text, signal).finally(isRead), loadTree()])
      if (first?.lacksFormulas !== true) return show(first?.tree ?? null)
      const meanwhile = setTimeout(() => show(first.tree), FORMULAS_SOON_MS)
      try {
        await loadFormulas()
        show((await readMarkdown(text, signal))?.tree ?? null)
      } catch {
        show(first.tree)
      } finally {
        clearTimeout(meanwhile)
      }
    }
    read().catch(() => show(null))
    return () => {
      stop.abort()
      isRead()
    }
  }, [text])
  return tree
}

/** The estimated height of a text in px, so that the page hardly moves when the text appears. */
function likelyHeight(text: string): number {
  const lines = text
    .split('\n')
    .reduce((sum, line) => sum + Math.ceil(line.trim().length / LINE_LETTERS), 0)
  return Math.min(lines * LINE_PX, TALLEST_PX)
}

/** Markdown (GFM and math). Raw HTML is shown as text. */
export function Markdown({ text, below = 2, parts = {} }: MarkdownProps) {
  const tree = useTree(text)
  if (text.trim() === '') return null
  // Offline the parser may be missing, and some texts cannot be parsed: show the text itself.
  const asTyped = <p className={classes.plain}>{text}</p>
  if (tree === null) return asTyped
  return (
    <FallbackBoundary fallback={asTyped}>
      <div className={classes.markdown}>
        {tree && MarkdownTree ? (
          <MarkdownTree tree={tree} below={below} parts={parts} />
        ) : (
          <Skeleton height={likelyHeight(text)} />
        )}
      </div>
    </FallbackBoundary>
  )
}
