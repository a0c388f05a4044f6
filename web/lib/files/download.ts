import type { toCsv } from './csv.ts'

/** Lets the reader download content that was made in the browser as a file. */
export function download(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** Hands a table to the reader as a CSV file. @param name without the ending */
export async function downloadCsv(name: string, rows: Parameters<typeof toCsv>[0]): Promise<void> {
  const csv = await import('./csv.ts')
  download(`${name}.csv`, csv.toCsv(rows), 'text/csv;charset=utf-8')
}
