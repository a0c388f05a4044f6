/** The picked zip: its files, which of them are cases, and what is wrong with it. */
import { useState } from 'react'
import type { FieldError } from '#contract/errors'
import { TEST_DATA_LIMITS } from '#contract/limits'
import { applyMapping, casesBySubtask, isReady, type CaseMapping } from './case-mapping.ts'
import { endsWithFile, readZip, TooManyEntriesError, type ZipFileEntry } from './read-zip.ts'
import { recogniseCases } from './recognise-cases.ts'
import { repackZip } from './repack-zip.ts'
import type { ZipSubtasks } from '../edit/subtask-values.ts'
import { findUnfinished, forgetUnfinished } from '../upload/unfinished-upload.ts'

/** Called with the zip to send; nulls: there is none. */
export type OnZip = (zip: File | null, found: ZipSubtasks | null) => void

interface PickedZip {
  file: File
  entries: ZipFileEntry[]
  mapping: CaseMapping
  /** The zip is sent as it is. */
  isReady: boolean
}

/** @param problemId null for a problem that does not exist yet */
export function usePickedZip(problemId: number | null, onZip: OnZip) {
  const [picked, setPicked] = useState<PickedZip | null>(null)
  const [errors, setErrors] = useState<FieldError[]>([])
  const [isReading, setIsReading] = useState(false)
  /** Share of the zip that arrived before an interruption, 0–1. */
  const [arrived, setArrived] = useState(0)

  async function use(file: File, entries: ZipFileEntry[], mapping: CaseMapping) {
    const { files, errors: faults } = applyMapping(entries, mapping)
    const ready = isReady(entries, files) && (await endsWithFile(file))
    setPicked({ file, entries, mapping, isReady: ready })
    setErrors(faults)
    if (faults.length > 0) return onZip(null, null)
    const zip = ready ? file : repackZip(file, files)
    onZip(zip, { subtasks: casesBySubtask(mapping), isReady: ready })
    const found = problemId === null ? null : await findUnfinished(problemId, zip)
    setArrived(found === null ? 0 : found.parts.length / found.urls.length)
  }

  /** Takes nothing; with the reasons, if the file is at fault. */
  function drop(faults: FieldError[] = []) {
    setPicked(null)
    setErrors(faults)
    onZip(null, null)
  }

  async function pick(file: File | undefined) {
    if (file === undefined) return
    setIsReading(true)
    try {
      const entries = await readZip(file)
      await use(file, entries, recogniseCases(entries))
    } catch (error) {
      const code = error instanceof TooManyEntriesError ? 'too_many_entries' : 'unreadable'
      drop([{ path: [], code, message: String(error), params: { most: TEST_DATA_LIMITS.entries } }])
    } finally {
      setIsReading(false)
    }
  }

  function correct(mapping: CaseMapping) {
    if (picked !== null) void use(picked.file, picked.entries, mapping)
  }

  function startOver() {
    if (problemId !== null) forgetUnfinished(problemId)
    setArrived(0)
  }

  return { picked, errors, isReading, arrived, pick, correct, drop, startOver }
}
