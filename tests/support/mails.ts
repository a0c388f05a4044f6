/** The mails of a stack, kept in its local database as rows of `logged_mails`. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import * as z from 'zod'
import { databaseFile } from '../../scripts/stack/local-database.ts'

const rows = z.array(z.object({ text: z.string() }))

/** Texts of the mails to an address, oldest first. */
export function mailsTo(stateDir: string, recipient: string): string[] {
  const database = new DatabaseSync(databaseFile(join(stateDir, 'worker')), { readOnly: true })
  try {
    const statement = database.prepare(
      'select text from logged_mails where recipient = ? order by id',
    )
    return rows.parse(statement.all(recipient)).map(({ text }) => text)
  } finally {
    database.close()
  }
}

/** The link in a mail, without the stack's address. */
function linkIn(text: string): string {
  const found =
    /\/(?:password_reset#(?:token|activate|confirm|move)=[\w-]{43}|join#[\w-]{24,29})\b/.exec(text)
  if (!found) throw new Error(`no link in: ${text}`)
  return found[0]
}

/** Waits for mail number `count` to an address, and answers its link; mails go out after the answer. */
export async function mailedLink(stateDir: string, recipient: string, count = 1): Promise<string> {
  await expect.poll(() => mailsTo(stateDir, recipient).length).toBe(count)
  return linkIn(mailsTo(stateDir, recipient).at(-1) ?? '')
}
