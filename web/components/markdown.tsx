import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { mayHoldMath } from '../lib/math-in-text.ts'
import classes from './markdown.module.css'

const PlainMarkdown = lazy(async () => ({
  default: (await import('./markdown-plain.tsx')).PlainMarkdown,
}))
const MathMarkdown = lazy(async () => ({
  default: (await import('./markdown-math.tsx')).MathMarkdown,
}))

/** Markdown (GFM and math) as it stands on pages and in previews. Raw HTML is shown as text. */
export function Markdown({ text }: { text: string }) {
  if (text.trim() === '') return null
  const Renderer = mayHoldMath(text) ? MathMarkdown : PlainMarkdown
  return (
    <Suspense fallback={<Skeleton height={72} />}>
      <div className={classes.markdown}>
        <Renderer text={text} />
      </div>
    </Suspense>
  )
}
