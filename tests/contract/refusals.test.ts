/** The HTTP status of each refusal about problems, submissions, judging and judge hosts: clients choose their next step by it. */
import { expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '#contract/errors'

const BY_STATUS: Record<number, ErrorCode[]> = {
  400: [
    'bad_file',
    'bad_zip',
    'bad_part',
    'bad_result',
    'empty_code',
    'no_language',
    'bad_source_zip',
  ],
  401: ['bad_token'],
  403: ['forbidden', 'language_not_allowed', 'quota_exceeded', 'token_scope'],
  404: [
    'course_not_found',
    'problem_not_found',
    'submission_not_found',
    'run_not_found',
    'output_not_found',
    'test_data_not_found',
    'upload_not_found',
    'job_not_found',
    'report_not_found',
    'runner_not_found',
    'object_lost',
    'file_not_found',
  ],
  409: [
    'no_report_running',
    'file_shown',
    'too_many_files',
    'storage_changed',
    'stale_edit',
    'reveals_tests',
    'stale_lease',
    'rejudge_applying',
    'rejudge_not_ready',
    'too_many_runners',
    'no_test_data',
    'nothing_to_run',
    'run_interactive',
    'code_already_sent',
    'idempotency_mismatch',
  ],
  411: ['length_required'],
  413: ['too_large', 'code_too_large'],
  416: ['bad_range'],
  426: ['upgrade_required'],
  429: ['too_many_requests', 'too_many_submissions', 'too_many_sockets', 'too_much_source'],
}

test.each(Object.entries(BY_STATUS))('refusals with %s', (status, codes) => {
  for (const code of codes) expect([code, ERRORS[code][0]]).toEqual([code, Number(status)])
})
