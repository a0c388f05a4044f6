/** The status of each refusal, and five messages, which programs and older clients compare. */
import { expect, test } from 'vitest'
import { ERRORS } from '#contract/errors'

test.each([
  [
    400,
    `bad_json too_deep bad_body bad_query bad_form bad_csv bad_file bad_zip bad_part bad_link
    bad_dates bad_result empty_code no_language bad_source_zip`,
  ],
  [401, `not_signed_in bad_token`],
  [
    403,
    `cross_site unsafe_get forbidden course_closed scoreboard_hidden token_scope wrong_password
    confirm_email_first join_domain join_refused password_required login_failed invalid_user teacher_is_student language_not_allowed
    quota_exceeded`,
  ],
  [
    404,
    `not_found course_not_found problem_not_found homework_not_found announcement_not_found
    submission_not_found question_not_found run_not_found output_not_found user_not_found
    test_data_not_found upload_not_found job_not_found report_not_found runner_not_found
    object_lost file_not_found live_off unknown_email session_not_found token_not_found
    label_not_found join_code_not_found webhook_not_found column_not_found
    mistake_not_found hint_not_found`,
  ],
  [408, `body_too_slow`],
  [
    409,
    `no_report_running file_shown too_many_files username_exists email_exists email_unconfirmed
    email_confirmed last_admin user_teaches too_many_announcements
    too_many_messages submitter_erased too_many_tokens course_exists homework_exists
    already_member join_code_expired join_code_full too_many_join_codes
    label_exists budget_exists no_late_days not_a_request not_a_mark
    too_many_hints too_many_merged hint_names_secret
    storage_changed stale_edit reveals_tests stale_lease rejudge_applying rejudge_not_ready
    too_many_runners no_test_data nothing_to_run run_interactive
    not_pending code_already_sent idempotency_mismatch not_configured`,
  ],
  [411, `length_required`],
  [413, `too_large code_too_large`],
  [416, `bad_range`],
  [426, `upgrade_required`],
  [429, `too_many_requests too_many_logins too_many_submissions too_many_sockets too_much_source`],
  [500, `internal`],
  [503, `unhealthy restoring`],
])('with %i are answered: %s', (status, codes) => {
  const found = Object.entries(ERRORS).filter(([, [each]]) => each === status)
  expect(found.map(([code]) => code).toSorted()).toEqual(codes.split(/\s+/).toSorted())
})

test('five messages are what older clients compare', () => {
  const { login_failed, invalid_user, wrong_password, course_exists, unknown_email } = ERRORS
  const refusals = [login_failed, invalid_user, wrong_password, course_exists, unknown_email]
  expect(refusals.map(([, message]) => message)).toEqual([
    'Login Failed',
    'Invalid User',
    'Wrong Password',
    'Course exists',
    'User Not Exists',
  ])
})
