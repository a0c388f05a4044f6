/** Every refusal the API can answer, and the envelope of all answers; see docs/api.md. */
import * as z from 'zod'

/** The database refuses changes with this message while `npm run restore` writes into it. */
export const RESTORING_MESSAGE = 'A backup is being restored.'

/**
 * code → HTTP status and English message. Programs use the stable code. Older clients compare the messages
 * `Login Failed`, `Invalid User`, `Wrong Password`, `Course exists` and `User Not Exists`.
 */
export const ERRORS = {
  cross_site: [403, 'This call must come from the web app itself or carry an API token.'],
  unsafe_get: [
    403,
    'This GET changes data, so a link or image must not send it. Sign out with DELETE /auth/session; rejudge with POST /submission/{id}/rejudge.',
  ],
  not_signed_in: [401, 'Please sign in first.'],
  bad_token: [401, 'The token is missing, wrong or revoked.'],
  forbidden: [403, 'You are not allowed to do this.'],
  course_closed: [403, 'This course is closed: you can read everything and change nothing.'],
  not_found: [404, 'There is nothing at this address.'],
  course_not_found: [404, 'There is no such course, or you are not in it.'],
  problem_not_found: [404, 'There is no such problem, or you cannot see it.'],
  scoreboard_hidden: [403, 'Students do not see the scoreboard of this homework.'],
  homework_not_found: [404, 'There is no such homework, or you cannot see it.'],
  announcement_not_found: [404, 'There is no such announcement.'],
  submission_not_found: [404, 'There is no such submission, or you cannot see it.'],
  question_not_found: [404, 'There is no such question, or you cannot see it.'],
  mistake_not_found: [404, 'No last failing try has this mistake.'],
  hint_not_found: [404, 'There is no such hint, or it is not for you.'],
  run_not_found: [
    404,
    'Run not found: it belongs to another person, was replaced by a newer run, or expired after an hour.',
  ],
  output_not_found: [404, 'This output was not saved; rejudge to save it again.'],
  user_not_found: [404, 'There is no such user.'],
  test_data_not_found: [404, 'This problem has no test data yet.'],
  upload_not_found: [
    404,
    'There is no such upload: it was completed, aborted or has expired. Start a new upload.',
  ],
  job_not_found: [404, 'There is no such background job, or you did not start it.'],
  report_not_found: [404, 'Copy detection has not been run for this problem yet.'],
  no_report_running: [409, 'Copy detection is not running for this problem.'],
  runner_not_found: [404, 'There is no such judge host.'],
  bad_json: [400, 'The body is not valid JSON.'],
  too_deep: [400, 'The body nests lists or objects too deeply.'],
  bad_body: [400, 'Some fields are invalid.'],
  bad_query: [400, 'Some query parameters are invalid.'],
  bad_form: [400, 'This call needs a multipart form as its body.'],
  bad_csv: [400, 'Some rows are invalid; nothing was stored.'],
  bad_file: [400, 'Statements accept PNG, JPEG, GIF and WebP images and PDF files.'],
  object_lost: [
    404,
    'This file was lost from the storage. Staff can upload files and test data again; students can submit lost code again.',
  ],
  file_not_found: [404, 'There is no such file, or you cannot see it.'],
  file_shown: [409, 'The saved statement uses this file. Remove it from the text and save first.'],
  too_many_files: [409, 'The statement has too many or too large files. Remove some first.'],
  bad_zip: [400, 'The test data zip was refused; the previous test data stay in use.'],
  bad_part: [400, 'This part does not fit the upload.'],
  length_required: [411, 'Send the part with a Content-Length.'],
  bad_range: [416, 'The range is outside the file. Content-Range gives the file’s size.'],
  upgrade_required: [426, 'This call opens a WebSocket. Send the header “Upgrade: websocket”.'],
  live_off: [404, 'Live updates are turned off on this judge. Poll instead.'],
  too_large: [413, 'The body is too large.'],
  body_too_slow: [408, 'The body stopped arriving. Nothing was changed; send the body again.'],
  bad_link: [400, 'This link is invalid, expired or already used. Ask for a new link.'],
  token_scope: [403, 'This API token is not allowed to make this call.'],
  wrong_password: [403, 'Wrong Password'],
  password_required: [403, 'Nothing was changed: confirm your password first.'],
  unknown_email: [404, 'User Not Exists'],
  session_not_found: [404, 'There is no such session.'],
  token_not_found: [404, 'There is no such API token.'],
  username_exists: [409, 'This username is taken.'],
  email_exists: [409, 'This email address belongs to another account.'],
  email_unconfirmed: [
    409,
    'The email address of this account is not confirmed. The owner must confirm the address on the profile page, or an admin must vouch for it.',
  ],
  email_confirmed: [409, 'This email address is already confirmed.'],
  last_admin: [409, 'This is the last active admin.'],
  user_teaches: [409, 'This person still teaches a course. Give the course another teacher first.'],
  too_many_announcements: [409, 'This course has too many announcements. Delete old ones first.'],
  too_many_messages: [
    409,
    'This question has reached its message limit. Continue in person, or ask about another submission.',
  ],
  submitter_erased: [
    409,
    'The submitter’s account was erased, so the comment would have no reader.',
  ],
  too_many_tokens: [409, 'There are too many API tokens. Delete one first.'],
  // The following answers carry `Retry-After`.
  too_many_requests: [429, 'Too many requests in a short time.'],
  login_failed: [403, 'Login Failed'],
  invalid_user: [403, 'Invalid User'],
  too_many_logins: [429, 'Too many failed sign-ins.'],
  too_many_submissions: [429, 'Too many submissions in a short time.'],
  too_many_sockets: [
    429,
    'Too many WebSockets are open. Close the sockets that the server has ended.',
  ],
  too_much_source: [429, 'You have reached the daily limit for source code.'],
  course_exists: [409, 'Course exists'],
  teacher_is_student: [403, 'A student cannot be the teacher of a course.'],
  column_not_found: [404, 'There is no such column in this gradebook, or you cannot see it.'],
  not_a_mark: [409, 'This question is about no mark.'],
  label_not_found: [404, 'There is no such label in this course.'],
  label_exists: [409, 'This course already has a label with this name.'],
  budget_exists: [409, 'This course already has late days with this name.'],
  no_late_days: [
    409,
    'You cannot use so many late days here: too few are left, or the homework has closed.',
  ],
  join_code_not_found: [
    404,
    'This code does not exist or was closed. Ask your teacher for the present code.',
  ],
  join_code_expired: [409, 'This code has expired. Ask your teacher for a new code.'],
  join_code_full: [
    409,
    'As many people as allowed have used this code. Ask your teacher for a new code.',
  ],
  join_domain: [
    403,
    'This course takes email addresses of the domains in data.domains only. Use such an address.',
  ],
  join_refused: [
    403,
    'The staff of this course removed you or refused your request. Ask your teacher to add you.',
  ],
  already_member: [409, 'You are already in this course.'],
  too_many_join_codes: [
    409,
    'This course has too many codes and invitations. Close old ones first.',
  ],
  confirm_email_first: [
    403,
    'Your account waits until you confirm its email address. Ask for the mail on the profile page.',
  ],
  webhook_not_found: [404, 'This course has no webhook.'],
  not_a_request: [409, 'This question asks for no date.'],
  homework_exists: [409, 'This course already has a homework with this name.'],
  bad_dates: [
    400,
    'The homework would be due before it opens, or close before it is due. It concerns the people in data.people and the labels in data.labels. Change the dates.',
  ],
  storage_changed: [
    409,
    'The storage has changed in the meantime. Check the storage again before you confirm.',
  ],
  too_many_hints: [409, 'This problem has too many hints. Delete one first.'],
  too_many_merged: [409, 'Too many mistakes of this problem are merged. Separate some first.'],
  hint_names_secret: [
    409,
    'This text names the input or output of a hidden case, or may name it. Send `mayNameSecret: true` to show it all the same.',
  ],
  stale_edit: [409, 'Someone else has changed this since you opened it.'],
  reveals_tests: [
    409,
    'Not saved: students would see the cases of the subtasks in data.subtasks. Send revealTests: true to allow it.',
  ],
  stale_lease: [409, 'This host no longer holds the lease of this judgement.'],
  bad_result: [
    400,
    'The result does not match the job; data.fault says why. The job is back in the queue.',
  ],
  rejudge_applying: [409, 'This rejudge is being applied. Wait until it has been applied.'],
  rejudge_not_ready: [
    409,
    'This rejudge cannot be applied: it is still being judged, or the problem has changed since.',
  ],
  too_many_runners: [409, 'There are too many judge hosts. First remove hosts that no longer run.'],
  no_test_data: [409, 'This problem has no test data for its subtasks, so nothing can be judged.'],
  nothing_to_run: [409, 'The statement has no samples. Add an input of your own.'],
  run_interactive: [
    409,
    'Programs for this problem talk with an interactor, so they run only when handed in.',
  ],
  not_pending: [
    409,
    'This submission already has a verdict. Authors can cancel until the first verdict; staff can also cancel a rejudge.',
  ],
  code_already_sent: [409, 'The code of this submission was already received.'],
  idempotency_mismatch: [409, 'This Idempotency-Key was already used for a different request.'],
  empty_code: [400, 'Please paste your source code to submit.'],
  no_language: [400, 'Please select the programming language.'],
  bad_source_zip: [
    400,
    'The zip must hold exactly one file, named for the language, such as main.c for C.',
  ],
  code_too_large: [413, 'The source code is larger than 64 KiB.'],
  language_not_allowed: [403, 'This problem does not allow this programming language.'],
  quota_exceeded: [403, 'You have used up your submissions to this problem for today.'],
  // Not 5xx: nothing is broken, and trying again helps only after somebody configures the feature.
  not_configured: [409, 'This feature is not configured on this installation.'],
  unhealthy: [503, 'This installation does not work correctly. The field “data” lists the faults.'],
  restoring: [503, `${RESTORING_MESSAGE} Nothing was changed; try again in some minutes.`],
  internal: [500, 'Oops! Our server failed to respond.'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof ERRORS

/** One refused field. `code` is stable. `params` are the values in the message, e.g. `{max: 64}`. */
export const fieldError = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  code: z.string(),
  message: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})
export type FieldError = z.infer<typeof fieldError>

/** The body of every error. `data` holds `FieldError`s for a refused body, else what docs/api.md says for the code. */
export const errorEnvelope = z.object({
  status: z.literal('err'),
  code: z.string(),
  message: z.string(),
  data: z.unknown(),
})
export type ErrorEnvelope = z.infer<typeof errorEnvelope>

/** The body of every success, with the schema of its data. */
export function okEnvelope<T extends z.ZodType>(data: T) {
  return z.object({ status: z.literal('ok'), message: z.string(), data })
}
