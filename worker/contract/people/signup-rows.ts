/** Faults that only a row of a batch sign-up can have. */
import type { FieldError } from '#contract/errors'

/** code → English message; `{name}` is filled from the error's params. */
export const ROW_MESSAGES = {
  unreadable_row:
    'cannot be read as CSV: a quotation mark is missing or not doubled. The rows below were not read',
  field_count: 'This row has {found} fields, the header has {wanted}.',
  twice_in_file: 'occurs twice in this file',
  email_taken: 'belongs to another account',
  role_too_high: 'only an admin may give a role above student',
  not_your_student: 'only an admin may update someone who is not a student of this course',
  student_elsewhere: 'only an admin may update someone who is also in a course of another teacher',
  has_signed_in: 'only an admin may update someone who has signed in already',
  not_made_here: 'only an admin may update an account that another course or person created',
  email_differs: 'is not the address of this account; only its owner or an admin can change it',
  unconfirmed: 'belongs to an account with an unconfirmed email address',
  admin_by_file: 'a file cannot demote an admin; edit the account instead',
} as const

export type RowMessageCode = keyof typeof ROW_MESSAGES

/**
 * A fault of a row.
 * @param column the cell's column; absent for a fault of the whole row
 */
export function rowFault(
  code: RowMessageCode,
  column?: string,
  params?: Record<string, number>,
): FieldError {
  const message = ROW_MESSAGES[code].replace(/\{(\w+)\}/g, (blank, name: string) =>
    String(params?.[name] ?? blank),
  )
  return { path: column === undefined ? [] : [column], code, message, ...(params && { params }) }
}

/** The fault as text for the row's `errors`: the column, then what is wrong. */
export function faultText({ path, message }: FieldError): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}
