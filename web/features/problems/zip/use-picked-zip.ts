/** The picked zip: its files, which of them are cases, and what is wrong with it. */
import { useState } from 'react'
import type { FieldError } from '#contract/errors'
import { TEST_DATA_LIMITS } from '#contract/limits'
import { applyMapping, casesBySubtask, isReady, type CaseMapping } from './case-mapping.ts'
import { convertOddFiles, findOddFiles, oddInCases, type OddFiles } from './odd-files.ts'
import { endsWithFile, readZip, TooManyEntriesError, type ZipFileEntry } from './read-zip.ts'
import { recogniseCases } from './recognise-cases.ts'
import { repackZip } from './repack-zip.ts'
import type { ZipSubtasks } from '../edit/subtask-values.ts'
import { findUnfinished, forgetUnfinished } from '../upload/unfinished-upload.ts'

/** Called with the zip to send, or with nulls if there is none. */
export type OnZip = (zip: File | null, found: ZipSubtasks | null) => void

interface ReadZip {
  file: File
  entries: ZipFileEntry[]
  mapping: CaseMapping
  odd: OddFiles
}

interface PickedZip extends ReadZip {
  /** Whether the zip is sent as it is. */
  isReady: boolean
}

async function openZip(file: File): Promise<ReadZip> {
  const entries = await readZip(file)
  return { file, entries, mapping: recogniseCases(entries), odd: await findOddFiles(entries) }
}

/** The zip with plain files instead of the odd files of its cases. */
async function convertZip(zip: ReadZip): Promise<ReadZip> {
  const chosen = oddInCases(zip.odd, zip.mapping)
  const odd = new Map([...zip.odd].filter(([entry]) => !chosen.has(entry)))
  return { ...zip, entries: await convertOddFiles(zip.entries, chosen), odd }
}

/** Why a zip cannot be read. */
function faultOf(error: unknown): FieldError {
  const code = error instanceof TooManyEntriesError ? 'too_many_entries' : 'unreadable'
  return { path: [], code, message: String(error), params: { most: TEST_DATA_LIMITS.entries } }
}

/** @param problemId null for a problem that does not exist yet */
export function usePickedZip(problemId: number | null, onZip: OnZip) {
  const [picked, setPicked] = useState<PickedZip | null>(null)
  const [errors, setErrors] = useState<FieldError[]>([])
  const [isReading, setIsReading] = useState(false)
  /** Share of the zip that arrived before an interruption, 0–1. */
  const [arrived, setArrived] = useState(0)

  async function use(zipRead: ReadZip) {
    const { file, entries, mapping } = zipRead
    const { files, errors: faults } = applyMapping(entries, mapping)
    const isWhole = entries.every(({ blob }) => blob === file)
    const ready = isWhole && isReady(entries, files) && (await endsWithFile(file))
    setPicked({ ...zipRead, isReady: ready })
    setErrors(faults)
    if (faults.length > 0) return onZip(null, null)
    const zip = ready ? file : repackZip(file, files)
    onZip(zip, { subtasks: casesBySubtask(mapping), isReady: ready })
    const found = problemId === null ? null : await findUnfinished(problemId, zip)
    setArrived(found === null ? 0 : found.parts.length / found.urls.length)
  }

  /** Drops the zip. @param faults what is wrong with the file, if anything */
  function drop(faults: FieldError[] = []) {
    setPicked(null)
    setErrors(faults)
    onZip(null, null)
  }

  /** Uses the zip once it is read; drops it if reading fails. */
  async function take(reading: Promise<ReadZip>) {
    setIsReading(true)
    try {
      await use(await reading)
    } catch (error) {
      drop([faultOf(error)])
    } finally {
      setIsReading(false)
    }
  }

  async function pick(file: File | undefined) {
    if (file !== undefined) await take(openZip(file))
  }

  function correct(mapping: CaseMapping) {
    if (picked !== null) void use({ ...picked, mapping })
  }

  async function convert() {
    if (picked !== null) await take(convertZip(picked))
  }

  function startOver() {
    if (problemId !== null) forgetUnfinished(problemId)
    setArrived(0)
  }

  return { picked, errors, isReading, arrived, pick, correct, convert, drop, startOver }
}
