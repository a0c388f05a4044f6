import type { ReactNode } from 'react'
import { ErrorBox } from '../feedback/error-box.tsx'
import { LoadMore, type LoadMoreProps } from './load-more.tsx'
import { RowsSkeleton, type RowsSkeletonProps } from '../feedback/rows-skeleton.tsx'

interface PagedListProps extends LoadMoreProps {
  list: LoadMoreProps['list'] & {
    isPending: boolean
    error: unknown
    data: unknown
    refetch: () => Promise<unknown>
  }
  skeleton: RowsSkeletonProps
  /** Shown where no page of the list has an item. */
  empty: ReactNode
}

/** A paginated list: placeholder, failure, items or empty message. */
export function PagedList({ list, count, note, skeleton, empty, children }: PagedListProps) {
  return (
    <>
      {list.isPending ? <RowsSkeleton {...skeleton} /> : null}
      <ErrorBox of={list} />
      {list.data !== undefined && count === 0 && !list.hasNextPage ? empty : null}
      <LoadMore list={list} count={count} note={note}>
        {count > 0 ? children : null}
      </LoadMore>
    </>
  )
}
