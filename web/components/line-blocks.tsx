import { useEffect, useRef, useState, type ReactNode } from 'react'
import classes from './line-blocks.module.css'

/** Lines per block. */
const BLOCK = 200

/** Whether an element has ever been visible. */
function useSeen() {
  const element = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (element.current === null || seen) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [seen])
  return { element, seen }
}

interface LineBlockProps {
  lines: readonly string[]
  /** Index of the first of them. */
  first: number
  numbered: boolean
  /** Rendered in detail even out of sight. */
  forced: boolean
  renderLine: (index: number) => ReactNode
}

function LineBlock({ lines, first, numbered, forced, renderLine }: LineBlockProps) {
  const { element, seen } = useSeen()
  return (
    <div
      ref={element}
      className={classes.block}
      style={{ containIntrinsicBlockSize: `${lines.length}lh` }}
    >
      {numbered ? (
        <span className={classes.numbers} aria-hidden="true">
          {lines.map((_, index) => first + index + 1).join('\n')}
        </span>
      ) : null}
      <span className={classes.lines}>
        {seen || forced
          ? lines.map((_, index) => renderLine(first + index))
          : lines.map((line) => `${line}\n`).join('')}
      </span>
    </div>
  )
}

interface LineBlocksProps {
  lines: readonly string[]
  numbered?: boolean
  /** Index of a line that is rendered even out of sight. */
  shown?: number | null
  /** Renders one line, one line high, with a key. */
  renderLine: (index: number) => ReactNode
}

/**
 * The lines of a text of any length, for inside a `pre`. Blocks that have not been visible are plain text of the same
 * size: tens of thousands of elements would block the page.
 */
export function LineBlocks({ lines, numbered = false, shown = null, renderLine }: LineBlocksProps) {
  const starts = Array.from(
    { length: Math.ceil(lines.length / BLOCK) },
    (_, index) => index * BLOCK,
  )
  return starts.map((first) => (
    <LineBlock
      key={first}
      lines={lines.slice(first, first + BLOCK)}
      first={first}
      numbered={numbered}
      forced={shown !== null && shown >= first && shown < first + BLOCK}
      renderLine={renderLine}
    />
  ))
}
