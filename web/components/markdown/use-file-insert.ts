import { useMutation } from '@tanstack/react-query'
import { useRef, type ClipboardEvent } from 'react'
import { insertionPoint } from '../../lib/text/table-caret.ts'
import { useFileDrop } from '../../lib/files/use-file-drop.ts'

/**
 * Takes a file that is dropped or pasted into a text, and puts the Markdown that shows it where the caret is.
 * @param store stores the file and gives its Markdown; without `store` the text takes no files
 */
export function useFileInsert(
  onChange: (text: string) => void,
  store: ((file: File) => Promise<string>) | undefined,
) {
  const field = useRef<HTMLTextAreaElement>(null)
  const insert = useMutation({
    mutationFn: async (file: File) => (await store?.(file)) ?? '',
    onSuccess: (markdown) => {
      const text = field.current
      if (text === null) return
      const start = insertionPoint(text.value, text.selectionStart)
      const end = Math.max(start, insertionPoint(text.value, text.selectionEnd))
      text.setRangeText(markdown, start, end, 'end')
      onChange(text.value)
    },
  })
  const { handlers } = useFileDrop((file) => insert.mutate(file))

  function paste(event: ClipboardEvent) {
    const [file] = event.clipboardData.files
    // Office programs add a picture of the text that they copy.
    if (!file || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    insert.mutate(file)
  }

  return { field, insert, handlers: store ? { ...handlers, onPaste: paste } : {} }
}
