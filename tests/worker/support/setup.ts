/** Every test file begins with an empty installation: new storage with the migration applied. */
import { env } from 'cloudflare:workers'
import { applyD1Migrations, reset, type D1Migration } from 'cloudflare:test'

declare global {
  namespace Cloudflare {
    interface Env {
      DB: D1Database
      BUCKET: R2Bucket
      TEST_MIGRATIONS: D1Migration[]
    }
  }
}

// `reset` empties only storage that is awake, and after ten idle seconds database and bucket sleep: on a busy machine
// one file's data would still be there for the next file.
await Promise.all([env.DB.prepare('select 1').first(), env.BUCKET.head('any')])
await reset()
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
