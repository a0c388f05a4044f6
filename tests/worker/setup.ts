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

await reset()
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
