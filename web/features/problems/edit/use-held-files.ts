import { useEffect, useRef, useState } from 'react'
import {
  fileTypeOf,
  limitOfType,
  PROBLEM_FILES,
  SIGNATURE_BYTES,
  type ProblemFile,
} from '#contract/problems/problem-files'
import type { ErrorCode } from '#contract/errors'
import { ApiError } from '../../../lib/api/api-error.ts'
import { holdFile, releaseFile } from '../../../lib/files/held-files.ts'
import { addFile, deleteFile } from '../api.ts'
import type { ProblemFiles } from './use-problem-files.ts'

/** `heldId`: the file's id on this page. `file`: null once it is stored. */
interface HeldFile {
  heldId: string
  shown: ProblemFile
  file: File | null
}

/** The refusal that the API would answer with; the catalogues have its message. */
function refusal(code: ErrorCode): ApiError {
  return new ApiError({ status: 400, code, message: code })
}

/** Holds a file that the API would take. @throws ApiError */
async function hold(file: File, held: HeldFile[]): Promise<HeldFile> {
  const type = fileTypeOf(new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer()))
  if (type === undefined) throw refusal('bad_file')
  if (file.size > limitOfType(type)) throw refusal('too_large')
  const bytes = held.reduce((sum, { shown }) => sum + shown.size, file.size)
  if (held.length >= PROBLEM_FILES.perProblem || bytes > PROBLEM_FILES.totalBytes)
    throw refusal('too_many_files')
  const heldId = holdFile(file)
  return { heldId, shown: { fileId: heldId, name: file.name, type, size: file.size }, file }
}

/** The files of a statement whose problem does not exist yet. */
export interface HeldFiles extends ProblemFiles {
  /** Whether some files, or the texts that show them, are not stored yet. */
  isPending: boolean
  /** The ids of the files that are not stored yet. */
  heldIds: string[]
  /** Stores the files that are not stored yet. @param onStored gets the id in the texts, and the id that replaces it */
  store: (problemId: number, onStored: (heldId: string, fileId: string) => void) => Promise<void>
  /** Notes that the statement's texts are stored, too. */
  settle: () => void
}

export function useHeldFiles(): HeldFiles {
  const [held, setHeld] = useState<HeldFile[]>([])
  const [isPending, setIsPending] = useState(false)
  const storedWith = useRef<number>(null)
  const latest = useRef(held)
  useEffect(() => {
    latest.current = held
  }, [held])
  useEffect(() => () => latest.current.forEach(({ heldId }) => releaseFile(heldId)), [])

  async function add(file: File): Promise<ProblemFile> {
    const added = await hold(file, latest.current)
    setHeld((known) => [...known, added])
    setIsPending(true)
    return added.shown
  }

  async function remove({ fileId }: ProblemFile): Promise<void> {
    const removed = held.find(({ shown }) => shown.fileId === fileId)
    if (removed?.file === null && storedWith.current !== null)
      await deleteFile(storedWith.current, fileId)
    if (removed) releaseFile(removed.heldId)
    setHeld((known) => known.filter(({ shown }) => shown.fileId !== fileId))
  }

  const store: HeldFiles['store'] = async (problemId, onStored) => {
    storedWith.current = problemId
    const sent = new Set<string>()
    for (;;) {
      // This also sends files that were added meanwhile. Files are sent one after the other, so that the files before a
      // failure stay stored.
      const next = latest.current.find(({ heldId, file }) => file !== null && !sent.has(heldId))
      if (next?.file == null) return
      const { heldId, shown, file } = next
      sent.add(heldId)
      const stored = await addFile(problemId, file)
      setHeld((known) =>
        known.map((each) => (each.shown === shown ? { heldId, shown: stored, file: null } : each)),
      )
      // The page still holds the file, because the preview shows the file's old address a moment longer.
      onStored(heldId, stored.fileId)
    }
  }

  return {
    files: held.map(({ shown }) => shown),
    heldIds: held.filter(({ file }) => file !== null).map(({ shown }) => shown.fileId),
    isPending,
    add,
    remove,
    store,
    settle: () => setIsPending(false),
  }
}
