import { defineConfig } from 'drizzle-kit'

/** `npm run migration` turns changes of the schema into the next SQL file; wrangler applies these files. */
export default defineConfig({
  dialect: 'sqlite',
  schema: './worker/db/schema.ts',
  out: './migrations',
  casing: 'snake_case',
})
