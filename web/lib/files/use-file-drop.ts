import { useState, type DragEvent } from 'react'

/** Handlers that take a dropped file. `isOver`: a file hovers over the element. */
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
      // The event is captured, so that it is handled before the editor would insert the file's text.
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
