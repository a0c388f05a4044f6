import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { problemFileAddress } from '#contract/problems/file-address'
import { PDF, type ProblemFile } from '#contract/problems/problem-files'
import { problemQuery } from '../../../lib/queries/problems.ts'
import { queryClient } from '../../../lib/api/query-client.ts'
import { addFile, deleteFile } from '../api.ts'

/** The Markdown that shows a file. */
export function markdownOf({ fileId, name, type }: ProblemFile): string {
  // A bar would end the cell of a table, and a bracket would end the title.
  const title = name.replace(/\.\w+$/, '').replaceAll(/[\\[\]|]/g, '\\$&')
  return `${type === PDF ? '' : '!'}[${title}](${problemFileAddress(fileId)})`
}

/** The files of a statement. If the problem is already stored, its files are stored at once, whether or not the form is saved. */
export interface ProblemFiles {
  files: ProblemFile[]
  add: (file: File) => Promise<ProblemFile>
  remove: (file: ProblemFile) => Promise<unknown>
}

/** @param initial the problem's files when the form was opened */
export function useProblemFiles(problemId: number, initial: ProblemFile[]): ProblemFiles {
  const [files, setFiles] = useState(initial)
  const onSuccess = () =>
    queryClient.invalidateQueries({ queryKey: problemQuery(problemId).queryKey, exact: true })
  const add = useMutation({
    mutationFn: async (file: File) => {
      const added = await addFile(problemId, file)
      setFiles((known) => [...known, added])
      return added
    },
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: async ({ fileId }: ProblemFile) => {
      await deleteFile(problemId, fileId)
      setFiles((known) => known.filter((file) => file.fileId !== fileId))
    },
    onSuccess,
  })
  return { files, add: add.mutateAsync, remove: remove.mutateAsync }
}
