import { useRef, type KeyboardEvent } from 'react'
import classes from './grid.module.css'

interface CellEditorProps {
  label: string
  /** What stands in the field at first. */
  text: string
  /** @param text null: the editing was given up. @param key the key that ended it; null when the field lost the focus */
  onEnd: (text: string | null, key: Pick<KeyboardEvent, 'key' | 'shiftKey'> | null) => void
}

/** The field in a cell that is edited. */
export function CellEditor({ label, text, onEnd }: CellEditorProps) {
  const isOver = useRef(false)

  function end(typed: string | null, key: KeyboardEvent | null) {
    // The field also loses the focus when it goes.
    if (isOver.current) return
    isOver.current = true
    onEnd(typed, key)
  }

  return (
    <input
      className={classes.editor}
      aria-label={label}
      defaultValue={text}
      autoComplete="off"
      // The key that began the editing comes into the field, whose text follows.
      ref={(field) => field?.focus()}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Escape') end(null, event)
        if (event.key !== 'Enter' && event.key !== 'Tab') return
        event.preventDefault()
        end(event.currentTarget.value, event)
      }}
      onBlur={(event) => end(event.currentTarget.value, null)}
    />
  )
}
