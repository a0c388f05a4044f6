import type { CsvRows } from '#contract/csv-table'

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
export async function downloadCsv(name: string, rows: CsvRows): Promise<void> {
  const csv = await import('#contract/csv-table')
  download(`${name}.csv`, csv.toCsv(rows), 'text/csv;charset=utf-8')
}
