import packageJson from '../package.json' with { type: 'json' }

/** The project's version, which a runner tells the server. */
export const VERSION = packageJson.version
