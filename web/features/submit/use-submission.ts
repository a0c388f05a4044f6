import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Language } from '#contract/languages'
import type { Problem } from '#contract/problems'
import { newIdempotencyKey } from '../../lib/idempotency-key.ts'
import { useNavigateFromHere } from '../../lib/navigate-from-here.ts'
import { refresh } from '../../lib/query-client.ts'
import { paths } from '../../paths.ts'
import { submitCode } from './api.ts'

/** Submits code and opens the submission. The draft stays, so that Back and "Edit and submit again" find it. */
export function useSubmission({ problemId, course }: Problem) {
  const navigate = useNavigateFromHere()
  // The same key for every try of the same code, so that a lost answer makes no second submission.
  const attempt = useRef<{ of: string; key: string }>(null)
  return useMutation({
    mutationFn: ({ language, text }: { language: Language; text: string }) => {
      const of = `${language.code}\n${text}`
      if (attempt.current?.of !== of) attempt.current = { of, key: newIdempotencyKey() }
      return submitCode({ problemId, languageType: language.code, code: text }, attempt.current.key)
    },
    onSuccess: async ({ submissionId }) => {
      // Not awaited: on a slow connection the submission's page comes first.
      void refresh(['submissions'], ['problem', problemId])
      await navigate(paths.submission(course, submissionId))
    },
  })
}
