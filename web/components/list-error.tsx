import { ErrorBox } from './error-box.tsx'

export interface ListErrorProps {
  list: {
    isError: boolean
    isFetchNextPageError: boolean
    error: unknown
    refetch: () => Promise<unknown>
  }
}

/** A list that could not be read. `LoadMore` shows the failure of a further page. */
export function ListError({ list }: ListErrorProps) {
  if (!list.isError || list.isFetchNextPageError) return null
  return <ErrorBox of={list} />
}
