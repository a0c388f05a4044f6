/** Filters in the address, so that a filtered list can be shared. */
import { useSearchParams } from 'react-router'

/** The query with one filter changed; an empty value removes it. */
export function withFilter(query: URLSearchParams, key: string, value: string): URLSearchParams {
  const next = new URLSearchParams(query)
  if (value === '') next.delete(key)
  else next.set(key, value)
  return next
}

/** The address's query, and a function that sets one filter without a new history entry. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- callers name the filters of their page
export function useAddressFilter<Key extends string>() {
  const [query, setQuery] = useSearchParams()
  function setFilter(key: Key, value: string) {
    setQuery((current) => withFilter(current, key, value.trim()), { replace: true })
  }
  return { query, setQuery, setFilter }
}
