import { mutationOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/call.ts'
import { queryClient } from '../../lib/api/query-client.ts'
import { submissionQuery } from '../../lib/queries/submissions.ts'

/** Stores whether a hint helped. The submission that was read before then has the new answer; after a failure it keeps the old one. */
export function hintAnswering(submissionId: string, hintId: number) {
  return mutationOptions({
    mutationFn: (helped: boolean) =>
      call('PUT /submission/:id/hints/:hintId', {
        params: { id: submissionId, hintId },
        body: { helped },
      }),
    onSuccess: (_, helped) => {
      queryClient.setQueryData(
        submissionQuery(submissionId).queryKey,
        (before) =>
          before && {
            ...before,
            hints: before.hints.map((hint) =>
              hint.hintId === hintId ? { ...hint, helped } : hint,
            ),
          },
      )
    },
  })
}
