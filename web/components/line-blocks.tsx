import { useEffect, useRef, useState, type ReactNode } from 'react'
import classes from './line-blocks.module.css'

/** Lines that come into sight together. */
const BLOCK = 200

/** Whether an element has ever been in sight. */
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
  /** In detail at once, whether in sight or not. */
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
  /** Index of a line that must be there in detail. */
  shown?: number | null
  /** One line in detail: a block of one line's height, with a key. */
  renderLine: (index: number) => ReactNode
}

/**
 * The lines of a text of any length, for inside a `pre`. Tens of thousands of elements would hold up the page: what has
 * not been in sight is plain text, of the same size.
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
