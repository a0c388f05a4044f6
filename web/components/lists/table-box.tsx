import { useEffect, useRef, useState, type ReactNode } from 'react'

/** The card around a table. If the table is larger than the card, the card scrolls and takes the keyboard focus. */
export function TableBox({ children, className }: { children: ReactNode; className?: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() =>
      setScrolls(
        element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
      ),
    )
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      ref={box}
      className={className === undefined ? 'app-table' : `app-table ${className}`}
      tabIndex={scrolls ? 0 : undefined}
    >
      {children}
    </div>
  )
}
