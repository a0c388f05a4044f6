/** Values outside of React that components read, such as the state of the connection. */
import { useSyncExternalStore } from 'react'

/** A value. If `set` changes the value, every component that reads it by `use` renders again. */
export function createStore<Value>(initial: Value) {
  let value = initial
  const listeners = new Set<() => void>()
  const get = () => value
  function subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    get,
    set(next: Value) {
      if (value === next) return
      value = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get, get),
    /** Whether a component reads the value now. */
    isUsed: () => listeners.size > 0,
  }
}
