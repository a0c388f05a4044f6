/** Cuts zod for the web app: code that makes JSON Schema is 5 KB of each first visit, and no page uses it. */
import type { Plugin } from 'vite'

const PARTS = [
  /inst\._zod\.processJSONSchema = .*;$/gm,
  /(?<=: )createStandardJSONSchemaMethod\(this, "(in|out)put"\)/g,
  /(?<=return )createToJSONSchemaMethod\(this, \{\}\)\(params\)/g,
]

/** The plugin of the build, for vite's configuration. @throws when a part of zod is not found, as after a new release */
export function zodForPages(): Plugin {
  return {
    name: 'zod-for-pages',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ },
      handler(code) {
        const left = PARTS.reduce((text, part) => {
          if (text.search(part) < 0) this.error(`zod has no ${part.source}.`)
          return text.replaceAll(part, part === PARTS[0] ? '' : 'undefined')
        }, code)
        return { code: left, map: null }
      },
    },
  }
}
