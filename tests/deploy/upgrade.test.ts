/** An upgrade: migrations first, then the code. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MIGRATIONS_FOLDER } from './migrations.ts'
import { useCloudflare } from './try.ts'

/** A migration of the next version: it adds a column, a trigger with two statements, and a row. */
const NEXT = `-- The next version; it isn't "quoted"
ALTER TABLE \`users\` ADD \`pronouns\` text;--> statement-breakpoint
CREATE TRIGGER \`pronouns_kept\` BEFORE UPDATE ON \`users\` WHEN old.pronouns IS NOT NULL BEGIN
  SELECT raise(abort, 'kept');
  SELECT 1;
END;--> statement-breakpoint
INSERT INTO \`courses\` (\`name\`, \`name_key\`, \`time_zone\`, \`created_at\`) VALUES ('Next', 'next', 'UTC', 0);
`

const { standIn, deploy } = await useCloudflare()

test('a deploy migrates a database with data before it uploads the code', async () => {
  await deploy()
  const [database] = standIn.account.databases.values()
  database?.sqlite.exec("UPDATE users SET bio = 'kept'")

  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  cpSync(MIGRATIONS_FOLDER, folder, { recursive: true })
  writeFileSync(join(folder, '0001_next.sql'), NEXT)
  standIn.calls.splice(0)
  await deploy({ tools: { migrations: folder } })
  rmSync(folder, { recursive: true })

  const person = database?.sqlite.prepare('SELECT bio, pronouns FROM users').get()
  expect(person).toEqual({ bio: 'kept', pronouns: null })
  const notes = standIn.calls.flatMap(({ body }, at) =>
    JSON.stringify(body ?? '').includes('INSERT INTO d1_migrations') ? [at] : [],
  )
  expect(notes).toHaveLength(1)
  const code = standIn.calls.findIndex(({ path }) => path === '/workers/scripts/coursejudge')
  expect(notes[0]).toBeLessThan(code)
})
