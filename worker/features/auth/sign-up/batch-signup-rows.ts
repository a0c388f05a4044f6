/** The rows of a batch sign-up: read from CSV, checked one by one, turned into changes. */
import * as z from 'zod'
import type { BatchSignupBody, BatchSignupRow } from '#contract/people/auth'
import type { FieldError } from '#contract/errors'
import { email, fieldMessage, newPassword, toFieldErrors, username } from '#contract/fields'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { roleCan, ROLES, type RoleCode } from '#contract/roles'
import { faultText, rowFault } from '#contract/people/signup-rows'
import { displayedName } from '#contract/people/users'
import type { SessionUser } from '../../../db/sessions.ts'
import { fieldRefused, type AppError } from '../../../http/errors.ts'
import { COMMON_PASSWORD } from '../../../http/new-password.ts'
import { hasMoreCells, parseCsv } from '../../../lib/csv.ts'
import { isGuessable } from '../../../lib/password-strength.ts'
import type { ExistingUser, SignupWrite } from './batch-signup-queries.ts'

/** The most cells of the CSV: five of each row are read, and the spreadsheet may have as many in other columns. */
const MOST_CELLS = 100_000

const ROLE_NAMES: ReadonlyMap<string, RoleCode> = new Map([
  ['admin', 0],
  ['teacher', 1],
  ['student', 2],
  ['0', 0],
  ['1', 1],
  ['2', 2],
])

/**
 * A row's cells. An empty optional cell counts as absent: null means a new account's default or the present value of an existing
 * account.
 */
const rowSchema = z.object({
  username,
  password: z.string().default(''),
  email,
  displayedName: z
    .string()
    .trim()
    .transform((name) => (name === '' ? null : name))
    .pipe(displayedName.nullable())
    .default(null),
  role: z
    .string()
    .trim()
    .toLowerCase()
    .transform((name): RoleCode | null | undefined => (name === '' ? null : ROLE_NAMES.get(name)))
    .pipe(z.union([z.literal(0), z.literal(1), z.literal(2), z.null()]))
    .default(null),
})
export type SignupRow = z.infer<typeof rowSchema> & { line: number }

/**
 * The data that rows are checked against. `byEmail`: the accounts by their confirmed e-mails. `seen` collects the names and
 * addresses of earlier rows.
 */
export interface SignupContext {
  actor: SessionUser
  body: BatchSignupBody
  byName: Map<string, ExistingUser>
  byEmail: Map<string, ExistingUser>
  seen: Set<string>
}

/** The refusal of a file that is too long. */
function tooManyRows(): AppError {
  const message = fieldMessage('max_length', { max: COUNT_LIMITS.batchSignupRows })
  return fieldRefused(['newUsers'], 'max_length', message)
}

/** The refusal of more rows than one call stores. */
function tooManyToStore(): AppError {
  const most = COUNT_LIMITS.batchSignupStored
  return fieldRefused(
    ['newUsers'],
    'too_many_rows',
    `One call stores at most ${most} rows. Check the whole file with dryRun, then send it in parts of ${most} rows, each below the header.`,
  )
}

/** Reads the text into rows; a fault of the whole file refuses it at once. */
export function readRows(body: BatchSignupBody): { rows: SignupRow[]; errors: BatchSignupRow[] } {
  if (hasMoreCells(body.newUsers, MOST_CELLS)) throw tooManyRows()
  const table = parseCsv(body.newUsers)
  const wanted = body.mailLinks ? ['username', 'email'] : ['username', 'password', 'email']
  const missing = wanted.find((column) => !table.header.includes(column))
  if (missing !== undefined && table.header.length > 0)
    throw fieldRefused(
      ['newUsers'],
      'header',
      `The header row must hold ${wanted.join(',')}; "${missing}" is missing.`,
    )
  if (table.rows.length + table.faults.length === 0)
    throw fieldRefused(['newUsers'], 'required', 'There is no row below the header.')
  const count = table.rows.length + table.faults.length
  if (count > COUNT_LIMITS.batchSignupRows) throw tooManyRows()
  if (!body.dryRun && count > COUNT_LIMITS.batchSignupStored) throw tooManyToStore()
  const errors = table.faults.map((fault): BatchSignupRow =>
    badRow(fault.line, '', [rowFault(fault.code, undefined, fault.params)]),
  )
  const rows = table.rows.flatMap(({ line, cells }): SignupRow[] => {
    const name = cells['username']?.trim() ?? ''
    const parsed = rowSchema.safeParse({
      ...cells,
      username: body.uppercase ? name.toUpperCase() : name,
    })
    if (parsed.success) return [{ ...parsed.data, line }]
    errors.push(badRow(line, name, toFieldErrors(parsed.error, cells)))
    return []
  })
  return { rows, errors }
}

/** The outcome of a refused row. */
function badRow(line: number, name: string, faults: FieldError[]): BatchSignupRow {
  const username = name.slice(0, TEXT_LIMITS.email)
  return { line, username, action: 'error', errors: faults.map(faultText), faults }
}

/** The outcome of a row, given the rows before it and the existing accounts. */
export function judgeRow(row: SignupRow, context: SignupContext): BatchSignupRow {
  const errors = rowErrors(row, context)
  if (errors.length > 0) return badRow(row.line, row.username, errors)
  return { line: row.line, username: row.username, action: actionOf(row, context) }
}

/** The faults of a row. */
function rowErrors(row: SignupRow, context: SignupContext): FieldError[] {
  const { actor, body, byName, byEmail, seen } = context
  const errors: FieldError[] = []
  const key = row.username.toLowerCase()
  const known = byName.get(key)
  const emailOwner = byEmail.get(row.email)
  if (seen.has(key)) errors.push(rowFault('twice_in_file', 'username'))
  if (seen.has(row.email)) errors.push(rowFault('twice_in_file', 'email'))
  if (emailOwner && emailOwner.id !== known?.id) errors.push(rowFault('email_taken', 'email'))
  const isManager = roleCan(actor.role, 'users.manage')
  if (!isManager && roleCan(row.role ?? ROLES.student, 'course.create'))
    errors.push(rowFault('role_too_high', 'role'))
  const needsPassword = !known && !body.mailLinks
  if (needsPassword || ((!known || body.force) && row.password !== ''))
    errors.push(...passwordErrors(row, body.course))
  if (known && body.force) errors.push(...updateErrors(row, known, actor))
  if (known && body.course !== undefined && known.courseRole === null)
    errors.push(...joinErrors(row, known, body.force && isManager))
  seen.add(key).add(row.email)
  return errors
}

/** The faults of a new password. */
function passwordErrors(row: SignupRow, course = ''): FieldError[] {
  const { password, username: name, email: address, displayedName } = row
  const path = ['password']
  const parsed = newPassword.safeParse(password)
  if (!parsed.success)
    return toFieldErrors(parsed.error, password)
      .slice(0, 1)
      .map((error) => ({ ...error, path }))
  return isGuessable(password, [name, address, displayedName ?? '', course])
    ? [{ path, code: 'common_password', message: COMMON_PASSWORD }]
    : []
}

/** Why this row may not change an existing account. */
function updateErrors(row: SignupRow, known: ExistingUser, actor: SessionUser): FieldError[] {
  if (!roleCan(actor.role, 'users.manage')) return teacherErrors(row, known)
  // A file with a class must not take the role from an installation's admins.
  if (roleCan(known.role, 'users.manage') && !roleCan(row.role ?? known.role, 'users.manage'))
    return [rowFault('admin_by_file', 'role')]
  if (known.confirmed === 0 && (row.role ?? known.role) < known.role)
    return [rowFault('unconfirmed', 'role')]
  return []
}

/** Why a teacher may not change an account. A teacher changes only accounts that the course has made and nobody has opened. */
function teacherErrors(row: SignupRow, known: ExistingUser): FieldError[] {
  // The account's own role counts too: a teacher may be a student of the course.
  if (known.courseRole !== 'student' || roleCan(known.role, 'course.create'))
    return [rowFault('not_your_student', 'username')]
  if (known.elsewhere === 1) return [rowFault('student_elsewhere', 'username')]
  if (known.isOpened === 1) return [rowFault('has_signed_in', 'username')]
  if (known.madeHere === 0) return [rowFault('not_made_here', 'username')]
  return row.email === known.email ? [] : [rowFault('email_differs', 'email')]
}

/** Why an existing account may not join: the row must have its e-mail, confirmed unless the course made the account. */
function joinErrors(row: SignupRow, known: ExistingUser, givesEmail: boolean): FieldError[] {
  if (known.confirmed === 0 && known.madeHere === 0) return [rowFault('unconfirmed', 'username')]
  return givesEmail || row.email === known.email ? [] : [rowFault('email_differs', 'email')]
}

/** Whether a write gives a role that only admins give. */
export function givesRole({ role }: Pick<SignupWrite, 'role'>): boolean {
  return roleCan(role ?? ROLES.student, 'course.create')
}

/** The action of a row without faults. */
function actionOf(
  row: SignupRow,
  { body, byName }: SignupContext,
): 'create' | 'update' | 'enrol' | 'none' {
  const known = byName.get(row.username.toLowerCase())
  if (!known) return 'create'
  if (body.force) return 'update'
  return body.course !== undefined && known.courseRole === null ? 'enrol' : 'none'
}

/** The changes of the rows, with the passwords to hash (null: none). */
export function toWrites(
  rows: SignupRow[],
  context: SignupContext,
): { writes: SignupWrite[]; passwords: (string | null)[] } {
  const changes = rows.flatMap((row) => {
    const action = actionOf(row, context)
    if (action === 'none') return []
    const { username, email, displayedName, role } = row
    const write = { action, username, email, displayedName, role, passwordHash: null }
    return [{ write, password: action === 'enrol' || row.password === '' ? null : row.password }]
  })
  return {
    writes: changes.map((change) => change.write),
    passwords: changes.map((change) => change.password),
  }
}
