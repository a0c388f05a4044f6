import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { languageOf } from '#contract/languages'
import type { Problem } from '#contract/problems'
import { noteSubmitted } from '../../lib/drafts/draft.ts'
import { newIdempotencyKey } from '../../lib/api/api.ts'
import { useNavigateFromHere } from '../../lib/navigation/navigate-from-here.ts'
import { MOST_WAITING_SECONDS } from '../../lib/api/patient-call.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { paths } from '../../paths.ts'
import { readOutgoing, type Outgoing } from './outgoing.ts'
import type { Program } from './use-sample-run.ts'
import { useSending } from './use-sending.ts'

/**
 * Submits code and opens the submission. If a reload has interrupted sending, the page continues it. The draft stays,
 * so that Back and "Edit and submit again" find it.
 */
export function useSubmission({ problemId, course }: Problem, username: string) {
  const navigate = useNavigateFromHere()
  const owner = { username, problemId }
  // Each try of the same code has the same key, so that a lost answer makes no second submission.
  const attempt = useRef<Outgoing>(null)
  const sending = useSending(owner)
  const submission = useMutation({
    mutationFn: ({ language: { code: languageType }, text: code }: Program) => {
      const known = attempt.current ?? readOutgoing(owner)
      const isSame = known?.languageType === languageType && known.code === code
      const key = isSame ? known.key : newIdempotencyKey()
      attempt.current = { key, languageType, code, sinceMs: Date.now() }
      return sending.send(attempt.current)
    },
    onSuccess: async (created, { language, text }) => {
      if (created === null) return
      noteSubmitted(owner, language, text)
      // This is not awaited, so that on a slow connection the submission's page opens first.
      void refresh(['submissions'], ['problem', problemId])
      await navigate(paths.submission(course, created.submissionId))
    },
  })
  const goOn = useEffectEvent(() => {
    const left = readOutgoing(owner)
    if (left === null || Date.now() - left.sinceMs > MOST_WAITING_SECONDS * 1_000) return
    submission.mutate({ language: languageOf(left.languageType), text: left.code })
  })
  const leave = useEffectEvent(sending.leave)
  useEffect(() => {
    goOn()
    return () => leave()
  }, [])
  return { submission, sending }
}
