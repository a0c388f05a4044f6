import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { mayHoldMath } from '../lib/math-in-text.ts'
import { FallbackBoundary } from './fallback-boundary.tsx'
import classes from './markdown.module.css'

const PlainMarkdown = lazy(async () => ({
  default: (await import('./markdown-plain.tsx')).PlainMarkdown,
}))
const MathMarkdown = lazy(async () => ({
  default: (await import('./markdown-math.tsx')).MathMarkdown,
}))

export interface MarkdownProps {
  text: string
  /** Level of the heading above the text; its own headings go on from there. Default 2. */
  below?: 1 | 2
}

/** Markdown (GFM and math) as it stands on pages and in previews. Raw HTML is shown as text. */
export function Markdown({ text, below = 2 }: MarkdownProps) {
  if (text.trim() === '') return null
  const Renderer = mayHoldMath(text) ? MathMarkdown : PlainMarkdown
  return (
    // Offline the renderer may be missing: then the text itself is better than nothing.
    <FallbackBoundary fallback={<p className={classes.plain}>{text}</p>}>
      <Suspense fallback={<Skeleton height={72} />}>
        <div className={classes.markdown}>
          <Renderer text={text} below={below} />
        </div>
      </Suspense>
    </FallbackBoundary>
  )
}
