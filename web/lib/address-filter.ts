/** Filters that stand in the address, so that a list can be sent to somebody. */
import { useSearchParams } from 'react-router'

/** The query with one filter changed; an empty value takes it out. */
export function withFilter(query: URLSearchParams, key: string, value: string): URLSearchParams {
  const next = new URLSearchParams(query)
  if (value === '') next.delete(key)
  else next.set(key, value)
  return next
}

/** The address's query, and the way to change one filter in it; no change adds a step to go back. */
export function useAddressFilter<Key extends string>() {
  const [query, setQuery] = useSearchParams()
  function setFilter(key: Key, value: string) {
    setQuery((current) => withFilter(current, key, value.trim()), { replace: true })
  }
  return { query, setQuery, setFilter }
}
