import { useMutation } from '@tanstack/react-query'

/** Reads picked source files; the code that does so is loaded with the first one. @param limitBytes of the text in UTF-8 */
export function useTextFile(limitBytes: number) {
  const reading = useMutation({
    mutationFn: async (file: File) => {
      const { readTextFile } = await import('./read-text-file.ts')
      return readTextFile(file, limitBytes)
    },
  })
  const { mutateAsync, isIdle, reset, variables, data, error } = reading

  /** The text of a file; null if it cannot be read. */
  async function open(file: File): Promise<string | null> {
    const read = await mutateAsync(file).catch(() => null)
    return read === null || 'kind' in read ? null : read.text
  }

  /** Forgets what was said about the last file. */
  function forget() {
    if (!isIdle) reset()
  }

  return { name: variables?.name ?? '', data, error, open, forget }
}
export type TextFile = ReturnType<typeof useTextFile>
