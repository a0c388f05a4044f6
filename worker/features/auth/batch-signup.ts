/** Batch sign-up from CSV: every row is judged before anything is stored, then all are stored or none. */
import * as z from 'zod'
import type { BatchSignupBody, BatchSignupResult, BatchSignupRow } from '#contract/auth'
import { email, fieldMessage, newPassword, toFieldErrors, username } from '#contract/fields'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import type { RoleCode } from '#contract/roles'
import type { Db } from '../../db/client.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { AppError, fieldRefused } from '../../http/errors.ts'
import { parseCsv } from '../../lib/csv.ts'
import { hashPassword } from '../../lib/password.ts'
import {
  findExistingUsers,
  storeSignup,
  type ExistingUser,
  type SignupWrite,
} from './batch-signup-queries.ts'

const ROLE_NAMES: Record<string, RoleCode> = {
  admin: 0,
  teacher: 1,
  student: 2,
  '0': 0,
  '1': 1,
  '2': 2,
}

/** A row's cells; an empty optional cell counts as absent. */
const rowSchema = z.object({
  username,
  password: z.string(),
  email,
  displayedName: z.string().trim().max(TEXT_LIMITS.displayedName).default(''),
  role: z
    .string()
    .trim()
    .toLowerCase()
    .transform((name): RoleCode | undefined => (name === '' ? 2 : ROLE_NAMES[name]))
    .pipe(z.union([z.literal(0), z.literal(1), z.literal(2)]))
    .default(2),
})
type SignupRow = z.infer<typeof rowSchema> & { line: number }

/** Reads the text into rows; a fault of the whole file refuses it at once. */
function readRows(body: BatchSignupBody): { rows: SignupRow[]; errors: BatchSignupRow[] } {
  const table = parseCsv(body.newUsers)
  for (const column of ['username', 'password', 'email'])
    if (!table.header.includes(column))
      throw fieldRefused(
        ['newUsers'],
        'header',
        `The header row must hold username,password,email; "${column}" is missing.`,
      )
  if (table.rows.length === 0)
    throw fieldRefused(['newUsers'], 'required', 'There is no row below the header.')
  if (table.rows.length > COUNT_LIMITS.batchSignupRows)
    throw fieldRefused(
      ['newUsers'],
      'max_length',
      fieldMessage('max_length', { max: COUNT_LIMITS.batchSignupRows }),
    )
  const errors = table.faults.map((fault): BatchSignupRow =>
    badRow(fault.line, '', [fault.message]),
  )
  const rows = table.rows.flatMap(({ line, cells }): SignupRow[] => {
    const name = cells['username']?.trim() ?? ''
    const parsed = rowSchema.safeParse({
      ...cells,
      username: body.uppercase ? name.toUpperCase() : name,
    })
    if (parsed.success) return [{ ...parsed.data, line }]
    const messages = toFieldErrors(parsed.error, cells).map(
      (error) => `${error.path.join('.')}: ${error.message}`,
    )
    errors.push(badRow(line, name, messages))
    return []
  })
  return { rows, errors }
}

/** The outcome of a refused row. */
function badRow(line: number, name: string, errors: string[]): BatchSignupRow {
  return { line, username: name, action: 'error', errors }
}

/** What is wrong with a row in view of the rows before it and of the accounts that exist. */
function rowErrors(row: SignupRow, context: Context): string[] {
  const { actor, body, byName, byEmail, seen } = context
  const errors: string[] = []
  const key = row.username.toLowerCase()
  const known = byName.get(key)
  const emailOwner = byEmail.get(row.email)
  if (seen.has(key)) errors.push('username: occurs twice in this file')
  if (seen.has(row.email)) errors.push('email: occurs twice in this file')
  if (emailOwner && emailOwner.id !== known?.id) errors.push('email: belongs to another account')
  if (row.role !== 2 && actor.role !== 0)
    errors.push('role: only an admin may give a role above student')
  const needsPassword = !known || (body.force && row.password !== '')
  const password = newPassword.safeParse(row.password)
  if (needsPassword && !password.success)
    errors.push(`password: ${toFieldErrors(password.error, row.password)[0]?.message}`)
  if (
    known &&
    body.force &&
    actor.role !== 0 &&
    !(known.courseRole === 'student' && known.role === 2)
  )
    errors.push('username: only an admin may update someone who is not a student of this course')
  seen.add(key).add(row.email)
  return errors
}

interface Context {
  actor: SessionUser
  body: BatchSignupBody
  byName: Map<string, ExistingUser>
  byEmail: Map<string, ExistingUser>
  seen: Set<string>
}

/** What a good row does. */
function actionOf(
  row: SignupRow,
  { body, byName }: Context,
): 'create' | 'update' | 'enrol' | 'none' {
  const known = byName.get(row.username.toLowerCase())
  if (!known) return 'create'
  if (body.force) return 'update'
  return body.course !== undefined && known.courseRole === null ? 'enrol' : 'none'
}

/**
 * Checks all rows, stores all or nothing.
 * @throws AppError `bad_csv` whose data is the result with every bad row named
 */
export async function batchSignup(
  db: Db,
  actor: SessionUser,
  body: BatchSignupBody,
  origin: { ip: string; now: number },
): Promise<BatchSignupResult> {
  const { rows, errors } = readRows(body)
  const existing = await findExistingUsers(db, rows, body.course ?? null)
  const context: Context = {
    actor,
    body,
    byName: new Map(existing.map((user) => [user.usernameKey, user])),
    byEmail: new Map(existing.map((user) => [user.email, user])),
    seen: new Set(),
  }
  const outcomes = rows.map((row): BatchSignupRow => {
    const found = rowErrors(row, context)
    if (found.length > 0) return badRow(row.line, row.username, found)
    return { line: row.line, username: row.username, action: actionOf(row, context) }
  })
  const result = summarise(
    [...errors, ...outcomes].toSorted((left, right) => left.line - right.line),
  )
  if (result.rows.some((row) => row.action === 'error')) {
    if (body.dryRun) return result
    throw new AppError('bad_csv', result)
  }
  if (!body.dryRun)
    await storeSignup(db, await toWrites(rows, context), { actor, course: body.course, ...origin })
  return result
}

/** The rows' counts by action. */
function summarise(rows: BatchSignupRow[]): BatchSignupResult {
  const countOf = (action: BatchSignupRow['action']): number =>
    rows.filter((row) => row.action === action).length
  return {
    created: countOf('create'),
    updated: countOf('update'),
    enrolled: countOf('enrol'),
    unchanged: countOf('none'),
    rows,
  }
}

/** The rows that change something, with their passwords hashed. */
async function toWrites(rows: SignupRow[], context: Context): Promise<SignupWrite[]> {
  const writes = rows.flatMap((row): SignupWrite[] => {
    const action = actionOf(row, context)
    if (action === 'none') return []
    const known = context.byName.get(row.username.toLowerCase())
    const role = action === 'update' && context.actor.role !== 0 ? (known?.role ?? 2) : row.role
    return [
      {
        action,
        username: row.username,
        email: row.email,
        displayedName: row.displayedName || row.username,
        role,
        passwordHash: null,
      },
    ]
  })
  const hashed = writes.filter((write) => write.action !== 'enrol')
  const passwords = new Map(rows.map((row) => [row.username, row.password]))
  const needing = hashed.filter((write) => passwords.get(write.username) !== '')
  if (needing.length > COUNT_LIMITS.batchSignupPasswords)
    throw fieldRefused(
      ['newUsers'],
      'max_length',
      `At most ${COUNT_LIMITS.batchSignupPasswords} new passwords at a time; split the file.`,
    )
  for (const write of needing)
    write.passwordHash = await hashPassword(passwords.get(write.username) ?? '')
  return writes
}
