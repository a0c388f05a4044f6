/** Every test file begins with an empty installation: storage as new, the migration applied. */
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

// `reset` empties only what is awake, and the database and the bucket fall asleep after ten idle seconds: on a busy
// machine what one file stored would be there for the next.
await Promise.all([env.DB.prepare('select 1').first(), env.BUCKET.head('any')])
await reset()
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
