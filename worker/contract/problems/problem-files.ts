/** Files of a problem's statement: images that its Markdown shows, and PDFs to download. */
import * as z from 'zod'
import { hexId } from '#contract/fields'

/** Files of one problem's statement. `totalBytes`: all files together. */
export const PROBLEM_FILES = {
  perProblem: 40,
  imageBytes: 4 * 1024 ** 2,
  pdfBytes: 16 * 1024 ** 2,
  totalBytes: 64 * 1024 ** 2,
} as const

/** The types that a file may have, recognised by its first bytes. No SVG: it can hold scripts. */
const problemFileType = z.enum([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
])
export type ProblemFileType = z.infer<typeof problemFileType>

export const PDF: ProblemFileType = 'application/pdf'

/** The most bytes of a file. */
export function limitOfType(type: ProblemFileType): number {
  return type === PDF ? PROBLEM_FILES.pdfBytes : PROBLEM_FILES.imageBytes
}

/** A file. Its bytes never change. `size` in bytes. */
export const problemFile = z.object({
  fileId: hexId,
  name: z.string(),
  type: problemFileType,
  size: z.int(),
})
export type ProblemFile = z.infer<typeof problemFile>

/** How a file of each type begins, as Latin-1; `.` stands for any byte. */
const SIGNATURES: readonly [ProblemFileType, string][] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF....WEBP'],
  [PDF, '%PDF-'],
]

/** The number of bytes that tell the type. */
export const SIGNATURE_BYTES = 12

/** Whether bytes begin with a signature. @param signature as Latin-1; `.` stands for any byte */
export function beginsWith(bytes: Uint8Array, signature: string): boolean {
  return [...signature].every(
    (letter, index) => letter === '.' || letter.charCodeAt(0) === bytes[index],
  )
}

/** The type of a file by its first bytes; undefined for any other type. */
export function fileTypeOf(bytes: Uint8Array): ProblemFileType | undefined {
  return SIGNATURES.find(([, signature]) => beginsWith(bytes, signature))?.[0]
}
