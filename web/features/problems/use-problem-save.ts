/** Saving a problem: the form first, then the zip, which must fit the form's case counts. */
import { useEffect, useRef, useState } from 'react'
import type { ProblemFormInput } from '#contract/problems'
import { uploadTestData } from './upload-test-data.ts'

export type SaveState =
  | { phase: 'idle' }
  | { phase: 'saving' }
  | { phase: 'uploading'; share: number }
  /** The form is saved, the upload was stopped. */
  | { phase: 'cancelled' }
  /** `stored`: the form is saved, only the zip is not. */
  | { phase: 'failed'; error: unknown; stored: boolean }

interface ProblemSave {
  state: SaveState
  start: (form: ProblemFormInput, zip: File | null, overwrite: boolean) => Promise<void>
  cancel: () => void
}

/**
 * @param store creates or modifies the problem, answers its id
 * @param onDone called when everything is stored
 */
export function useProblemSave(
  store: (form: ProblemFormInput, overwrite: boolean) => Promise<number>,
  onDone: (problemId: number) => Promise<void>,
): ProblemSave {
  const [state, setState] = useState<SaveState>({ phase: 'idle' })
  const upload = useRef<AbortController>(null)
  // Who leaves the page stops the upload.
  useEffect(() => () => upload.current?.abort(), [])

  async function start(form: ProblemFormInput, zip: File | null, overwrite: boolean) {
    let stored = false
    setState({ phase: 'saving' })
    try {
      const problemId = await store(form, overwrite)
      stored = true
      if (zip !== null) {
        const controller = new AbortController()
        upload.current = controller
        setState({ phase: 'uploading', share: 0 })
        await uploadTestData({
          problemId,
          file: zip,
          signal: controller.signal,
          onProgress: (share) => setState({ phase: 'uploading', share }),
        })
      }
      await onDone(problemId)
    } catch (error) {
      if (upload.current?.signal.aborted) setState({ phase: 'cancelled' })
      else setState({ phase: 'failed', error, stored })
    } finally {
      upload.current = null
    }
  }

  return { state, start, cancel: () => upload.current?.abort() }
}
