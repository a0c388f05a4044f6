/** Properties that a plain object has from the start, used as people's names. */
const PROPERTIES = Object.getOwnPropertyNames(Object.prototype)

/** Names that are valid usernames: `__proto__`, `constructor`, `toString` and more. */
export const OBJECT_USERNAMES = PROPERTIES.filter((name) => name.length <= 16)

/** Names for courses, problems and homeworks: all of them are valid. */
export const OBJECT_NAMES = PROPERTIES
