import { useState, type DragEvent } from 'react'

/** Takes a file that is dropped on an element. `isOver` while one hovers above it. */
export function useFileDrop(onFile: (file: File) => void) {
  const [isOver, setIsOver] = useState(false)
  return {
    isOver,
    handlers: {
      onDragOverCapture: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setIsOver(true)
      },
      onDragLeaveCapture: () => setIsOver(false),
      // Before the editor, which would else insert the file's text where it fell.
      onDropCapture: (event: DragEvent) => {
        const file = event.dataTransfer.files[0]
        setIsOver(false)
        if (!file) return
        event.preventDefault()
        event.stopPropagation()
        onFile(file)
      },
    },
  }
}
