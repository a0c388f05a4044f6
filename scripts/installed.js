/** Runs before a command's own file: checks that `npm ci` has installed the Node version that runs TypeScript. */
import { existsSync } from 'node:fs'

// npm writes this file at the end of an installation.
const ended = existsSync(new URL('../node_modules/.package-lock.json', import.meta.url))
if (!ended || !process.features.typescript) {
  console.error('Error: The installation is not complete. Run this and start again: npm ci')
  process.exit(1)
}
