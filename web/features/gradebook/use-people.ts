import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useLabelChoice } from '../../components/labels/use-label-choice.ts'
import type { Sort } from '../../components/lists/sort-header.tsx'
import { useAddressFilter } from '../../lib/navigation/address-filter.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { peopleQuery } from './api.ts'
import type { GridPerson } from './edits.ts'

/** The choices above the grid, which stand in the address: the order, the label, the group of columns, and what a name has. */
export function useGridFilter() {
  const { query, setQuery, setFilter } = useAddressFilter<'group' | 'find'>()
  const { choice: label } = useLabelChoice()
  const sort: Sort = {
    by: /^[1-9]\d{0,15}$/.exec(query.get('sort') ?? '')?.[0] ?? 'name',
    descending: query.get('order') === 'down',
  }
  function setSort({ by, descending }: Sort) {
    setQuery(
      (current) => {
        const next = new URLSearchParams(current)
        next.set('sort', by)
        next.set('order', descending ? 'down' : 'up')
        return next
      },
      { replace: true },
    )
  }
  return {
    sort,
    label,
    group: query.get('group') ?? '',
    find: query.get('find') ?? '',
    setSort,
    setFilter,
  }
}

export type GridFilter = ReturnType<typeof useGridFilter>

/** Whether a name or username has a text; letters of any case are the same. */
export function hasText({ user }: GridPerson, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return [user.displayedName, user.username].some((name) => name.toLowerCase().includes(wanted))
}

/** The people of the grid: the first page at once, then the others by themselves. */
export function usePeople({ sort, label, find }: GridFilter) {
  const { course } = useCourse()
  const list = useInfiniteQuery({
    ...peopleQuery(course, { sort: sort.by, order: sort.descending ? 'down' : 'up', label }),
    // The grid stays, and with it the focus, until another order is read.
    placeholderData: keepPreviousData,
  })
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = list
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  const loaded = useMemo(() => data?.pages.flatMap((page) => page.people) ?? [], [data])
  const people = useMemo(
    () => (find === '' ? loaded : loaded.filter((person) => hasText(person, find))),
    [loaded, find],
  )
  return { list, loaded, people, pending: data?.pages.at(-1)?.pending ?? 0 }
}
