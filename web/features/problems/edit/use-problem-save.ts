/** Saves a problem: first the form, then the zip, which must fit the form's case counts. */
import { useEffect, useRef, useState } from 'react'
import type { ProblemFormInput } from '#contract/problems'
import { uploadTestData } from '../upload/upload-test-data.ts'

type SaveState =
  | { phase: 'idle' }
  | { phase: 'saving' }
  /** `waitSeconds`: how long the API's rate limit stops the upload; null: it does not. */
  | { phase: 'uploading'; share: number; waitSeconds: number | null }
  /** The form is saved, the upload was stopped. */
  | { phase: 'cancelled' }
  /** `stored`: whether the form is saved, so that only the zip is not. */
  | { phase: 'failed'; error: unknown; stored: boolean }

export interface ProblemSave {
  state: SaveState
  /**
   * @param finish is called once the form is stored. `finish` stores what depends on the form and returns the zip;
   * null: no new test data
   */
  start: (
    form: ProblemFormInput,
    finish: (problemId: number) => Promise<File | null>,
    overwrite: boolean,
  ) => Promise<void>
  cancel: () => void
}

/**
 * @param store creates or modifies the problem, and returns its id
 * @param onDone called once everything is stored
 */
export function useProblemSave(
  store: (form: ProblemFormInput, overwrite: boolean) => Promise<number>,
  onDone: (problemId: number) => Promise<void>,
): ProblemSave {
  const [state, setState] = useState<SaveState>({ phase: 'idle' })
  const upload = useRef<AbortController>(null)
  // Leaving the page stops the upload.
  useEffect(() => () => upload.current?.abort(), [])

  const start: ProblemSave['start'] = async (form, finish, overwrite) => {
    let stored = false
    setState({ phase: 'saving' })
    try {
      const problemId = await store(form, overwrite)
      stored = true
      const zip = await finish(problemId)
      if (zip !== null) {
        const controller = new AbortController()
        upload.current = controller
        let at = { share: 0, waitSeconds: null as number | null }
        // Parts are sent in parallel: the upload counts as waiting until none of them waits.
        let waiting = 0
        function note(change: Partial<typeof at>) {
          // Ignore progress of an upload that has ended.
          if (upload.current !== controller) return
          at = { ...at, ...change }
          setState({ phase: 'uploading', ...at })
        }
        note({})
        await uploadTestData({
          problemId,
          file: zip,
          signal: controller.signal,
          onProgress: (share) => note({ share }),
          onWait: (seconds) => {
            waiting += seconds === null ? -1 : 1
            if (seconds !== null || waiting === 0) note({ waitSeconds: seconds })
          },
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
