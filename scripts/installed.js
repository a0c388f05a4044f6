/** Loaded before a command's own file. `npm ci` brings the Node that runs TypeScript; without it nothing here starts. */
import { existsSync } from 'node:fs'

// npm writes this file when an installation has ended.
const ended = existsSync(new URL('../node_modules/.package-lock.json', import.meta.url))
if (!ended || !process.features.typescript) {
  console.error('Error: The installation is not complete. Run this and start again: npm ci')
  process.exit(1)
}
