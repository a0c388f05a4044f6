/** What a stand-in is worth where a string or a number is wanted. */
const VALUE = '1'

/**
 * Something for a parameter of any type: an object with every field, a list of one, a string and a number. To drizzle it is
 * a value to bind, no part of a statement.
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
