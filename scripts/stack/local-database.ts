/** Prepares the local D1: migrations, and the first admin, whom nobody can add over HTTP. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashPassword } from '../../worker/lib/password.ts'
import { ROOT } from '../root.ts'
import { runWrangler } from '../process/wrangler.ts'

/**
 * The file of a local D1.
 * @param persistTo wrangler's folder of local state, migrated
 */
export function databaseFile(persistTo: string): string {
  const folder = join(persistTo, 'v3/d1/miniflare-D1DatabaseObject')
  const file = readdirSync(folder).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
  if (file === undefined) throw new Error(`no database in ${folder}`)
  return join(folder, file)
}

/** Names and contents of all migrations as one fingerprint. */
function migrationsFingerprint(): string {
  const folder = join(ROOT, 'migrations')
  const hash = createHash('sha256')
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted())
    hash.update(name).update(readFileSync(join(folder, name)))
  return hash.digest('hex')
}

/**
 * Brings the local database up to date and makes sure that the admin exists; an existing account is not changed.
 * A database with the same migrations is not touched, which saves seconds at every start.
 * @param persistTo wrangler's folder of local state
 */
export async function prepareDatabase(
  persistTo: string,
  admin: { username: string; password: string; displayedName: string },
  signal?: AbortSignal,
): Promise<void> {
  const marker = join(persistTo, 'migrated')
  const fingerprint = migrationsFingerprint()
  if (existsSync(marker) && readFileSync(marker, 'utf8') === fingerprint) return
  const local = ['DB', '--local', '--persist-to', persistTo]
  await runWrangler('Migrating the local database', ['d1', 'migrations', 'apply', ...local], {
    signal,
  })
  // The values are the demo's own constants and base64, so there is nothing to escape.
  const now = String(Math.floor(Date.now() / 1_000))
  const values = [
    `'${admin.username}'`,
    `'${admin.username.toLowerCase()}'`,
    `'${admin.username.toLowerCase()}@example.org'`,
    `'${admin.displayedName}'`,
    '0',
    `'${await hashPassword(admin.password)}'`,
    '1',
    now,
    now,
  ]
  const insert = `INSERT OR IGNORE INTO users (username, username_key, email, displayed_name, role, password_hash, active, created_at, email_confirmed_at) VALUES (${values.join(', ')})`
  await runWrangler(
    'Adding the first admin',
    ['d1', 'execute', ...local, '--yes', '--command', insert],
    { signal },
  )
  writeFileSync(marker, fingerprint)
}
