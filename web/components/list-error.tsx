import { ErrorBox } from './error-box.tsx'

export interface ListErrorProps {
  list: {
    isError: boolean
    isFetchNextPageError: boolean
    error: unknown
    refetch: () => Promise<unknown>
  }
}

/** A list could not be read. That a further page of it could not is told where one asks for it (`LoadMore`). */
export function ListError({ list }: ListErrorProps) {
  if (!list.isError || list.isFetchNextPageError) return null
  return <ErrorBox error={list.error} onRetry={() => void list.refetch()} />
}
