import { useInViewport } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import classes from './line-blocks.module.css'

/** Lines per block. */
const BLOCK = 200

/** Whether an element has ever been visible. */
function useSeen() {
  const { ref, inViewport } = useInViewport<HTMLDivElement>()
  const [seen, setSeen] = useState(false)
  if (inViewport && !seen) setSeen(true)
  return { element: seen ? null : ref, seen }
}

interface LineBlocksProps {
  lines: readonly string[]
  /** Index of the first line in the whole text. Default 0. */
  first?: number
  numbered?: boolean
  /** Index of a line that is rendered even while it is out of sight. */
  shown?: number | null
  /** Renders a line as one element with a key, one line high. */
  renderLine: (index: number) => ReactNode
  /** Renders a line's number as one element with a key. Default: as text. */
  renderNumber?: ((index: number) => ReactNode) | undefined
}

interface LineBlockProps extends Omit<LineBlocksProps, 'shown'> {
  /** Index of the block's first line. */
  first: number
  /** Whether the block is rendered in detail even out of sight. */
  forced: boolean
}

function LineBlock(props: LineBlockProps) {
  const { lines, first, numbered = false, forced, renderLine, renderNumber } = props
  const { element, seen } = useSeen()
  const isDetailed = seen || forced
  return (
    <div ref={element} className={classes.block}>
      {numbered ? (
        <span className={classes.numbers} aria-hidden={renderNumber === undefined}>
          {renderNumber && isDetailed
            ? lines.map((_, index) => renderNumber(first + index))
            : lines.map((_, index) => first + index + 1).join('\n')}
        </span>
      ) : null}
      <span className={classes.lines}>
        {isDetailed
          ? lines.map((_, index) => renderLine(first + index))
          : lines.map((line) => `${line}\n`).join('')}
      </span>
    </div>
  )
}

/**
 * The lines of a text of any length, for use inside a `pre`. A block of lines is plain text of the same size until it
 * has been visible, because tens of thousands of elements would block the page. The browser's search finds this text,
 * too.
 */
export function LineBlocks({ lines, first = 0, shown = null, ...props }: LineBlocksProps) {
  const starts = Array.from(
    { length: Math.ceil(lines.length / BLOCK) },
    (_, index) => index * BLOCK,
  )
  return starts.map((start) => (
    <LineBlock
      key={start}
      {...props}
      lines={lines.slice(start, start + BLOCK)}
      first={first + start}
      forced={shown !== null && shown >= first + start && shown < first + start + BLOCK}
    />
  ))
}
