/** The value of a stand-in as a string or a number. */
const VALUE = '1'

/**
 * A stand-in for a parameter of any type: an object with every field, a list of one, a string and a number. Drizzle binds it
 * as a value, and does not take it for a part of a statement.
 */
export function standIn(depth = 0): unknown {
  const inner = () => (depth > 3 ? VALUE : standIn(depth + 1))
  return new Proxy(() => VALUE, {
    get(_, key) {
      if (key === Symbol.toPrimitive || key === 'toJSON' || key === 'toString') return () => VALUE
      if (key === Symbol.iterator) return () => [inner()].values()
      if (typeof key === 'symbol' || /^(then|getSQL|queryChunks)$/.test(key)) return undefined
      if (key === 'length') return 1
      const like = key in [] && !/^(slice|at)$/.test(key) ? [inner()] : Object(VALUE)
      const method: unknown = Reflect.get(like, key)
      return typeof method === 'function' ? method.bind(like) : inner()
    },
    has: () => true,
    apply: inner,
  })
}
