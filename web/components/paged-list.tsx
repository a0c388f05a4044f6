import type { ReactNode } from 'react'
import { ListError, type ListErrorProps } from './list-error.tsx'
import { LoadMore, type LoadMoreProps } from './load-more.tsx'
import { RowsSkeleton, type RowsSkeletonProps } from './rows-skeleton.tsx'

interface PagedListProps extends LoadMoreProps {
  list: LoadMoreProps['list'] & ListErrorProps['list'] & { isPending: boolean; data: unknown }
  skeleton: RowsSkeletonProps
  /** Shown instead of a list without items. */
  empty: ReactNode
}

/** A list that is read page by page: its skeleton, its failure, its items or what is said where there are none. */
export function PagedList({ list, count, skeleton, empty, children }: PagedListProps) {
  return (
    <>
      {list.isPending ? <RowsSkeleton {...skeleton} /> : null}
      <ListError list={list} />
      {list.data !== undefined && count === 0 ? empty : null}
      <LoadMore list={list} count={count}>
        {count > 0 ? children : null}
      </LoadMore>
    </>
  )
}
