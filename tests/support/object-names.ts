/** What a plain object answers to though nobody wrote it there, as people may call themselves. */
const PROPERTIES = Object.getOwnPropertyNames(Object.prototype)

/** Those that are usernames: `__proto__`, `constructor`, `toString` and more. */
export const OBJECT_USERNAMES = PROPERTIES.filter((name) => name.length <= 16)

/** Those that are names of courses, problems, homeworks: all. */
export const OBJECT_NAMES = PROPERTIES
