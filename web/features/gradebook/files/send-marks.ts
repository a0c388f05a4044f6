/** Sends the marks that were read from a file, in parts; each part is stored whole or not at all. */
import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { marksEdited } from '#contract/gradebook'
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { call } from '../../../lib/api/call.ts'
import { callWithRetries, whileBusy } from '../../../lib/api/patient-call.ts'
import { useLeaveWarning } from '../../../lib/drafts/leave-warning.ts'
import type { FileEdit } from '../../../lib/gradebook-files/read.ts'
import { refreshMarks } from '../../../lib/queries/marks.ts'

/** What the API takes for a part of the marks. */
export function toBody(edits: readonly FileEdit[], reason: string) {
  return {
    reason,
    edits: edits.map(({ person: { username }, columnId, hundredths }) => ({
      username,
      columnId,
      points: hundredths === null ? null : hundredths / 100,
      excused: hundredths === null,
    })),
  }
}

/**
 * Sends all parts. `done`: how many marks are stored. If the sending breaks off, the gradebook is read again, and then
 * only what is not stored yet is still a change.
 */
export function useSendMarks(course: string) {
  const [done, setDone] = useState(0)
  // Leaving the page stops the sending, as nobody sees it.
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])
  const run = useMutation({
    mutationFn: async ({ edits, reason }: { edits: readonly FileEdit[]; reason: string }) => {
      const { signal } = leaving.current
      setDone(0)
      for (let at = 0; at < edits.length; at += GRADEBOOK_LIMITS.edits) {
        signal.throwIfAborted()
        const part = edits.slice(at, at + GRADEBOOK_LIMITS.edits)
        await callWithRetries(
          () =>
            call('PATCH /course/:name/gradebook', {
              params: { name: course },
              body: toBody(part, reason),
              as: marksEdited,
            }),
          { signal, patience: whileBusy },
        )
        setDone(at + part.length)
      }
    },
    onSettled: refreshMarks,
  })
  useLeaveWarning(useCallback(() => run.isPending, [run.isPending]))
  return { run, done }
}
