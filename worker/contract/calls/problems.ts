/** The calls about problems and their test data. */
import * as z from 'zod'
import type { Rows } from '#contract/calls/call'
import { operationStarted } from '#contract/operations'
import { BODY_LIMITS, TEST_DATA_LIMITS } from '#contract/limits'
import { problemFile, PROBLEM_FILES } from '#contract/problems/problem-files'
import * as problems from '#contract/problems'
import { bulkRejudge, problemRejudge } from '#contract/judging/rejudges'
import { submissionsCancelled } from '#contract/submissions'
import * as sampleRuns from '#contract/judging/sample-runs'
import { labelParams } from '#contract/labels'
import { problemStats } from '#contract/problems/stats'

const partPath = z.object({
  id: z.string(),
  uploadId: z.string().max(64),
  part: z.coerce.number<string>().pipe(z.int().min(1).max(10_000)),
})

/** The rows of these calls in the table of calls. */
export const PROBLEM_CALLS = {
  'GET /problem': {
    who: 'member',
    about: 'course',
    right: 'course.read',
    summary: 'Problems of a course; students see those that are visible and have begun.',
    query: problems.problemListParams,
    data: problems.problemPage,
  },
  'GET /problem/:id': {
    who: 'member',
    about: 'problem',
    right: 'course.read',
    summary: 'A problem.',
    data: problems.problem,
  },
  'GET /problem/:id/stats': {
    who: 'member',
    about: 'problem',
    right: 'course.read',
    summary: 'Numbers about a problem; for staff also of the students with one label.',
    query: labelParams,
    data: problemStats,
    errors: ['forbidden'],
  },
  'POST /problem/:id/run': {
    who: 'member',
    about: 'problem',
    right: 'submission.create',
    scope: 'submit',
    summary:
      'Runs a program on the statement’s samples or on own inputs, without handing it in. A person’s new run replaces the earlier one; sending a waiting run again starts no second one.',
    refusedAs: { languageType: 'no_language' },
    body: sampleRuns.newSampleRun,
    bodyBytes: BODY_LIMITS.runBytes,
    data: sampleRuns.sampleRunStarted,
    errors: [
      'empty_code',
      'no_language',
      'language_not_allowed',
      'code_too_large',
      'nothing_to_run',
      'run_interactive',
    ],
  },
  'GET /run/:id': {
    who: 'owner',
    about: 'run',
    summary:
      'A sample run: its state, and once it is over, what the program printed. Runs are kept for an hour.',
    data: sampleRuns.sampleRun,
    errors: ['run_not_found'],
  },
  'POST /problem/manage': {
    who: 'staff',
    about: 'course',
    right: 'problem.write',
    summary: 'Creates a problem.',
    body: problems.newProblem,
    bodyBytes: BODY_LIMITS.longFormBytes,
    data: problems.problemCreated,
    errors: ['reveals_tests'],
  },
  'GET /problem/manage/:id': {
    who: 'staff',
    about: 'problem',
    right: 'problem.write',
    summary: 'A problem with its full form.',
    data: problems.managedProblem,
  },
  'PUT /problem/manage/:id': {
    who: 'staff',
    about: 'problem',
    right: 'problem.write',
    summary: 'Changes a problem (JSON), or its test data (a form with a zip of at most 16 MB).',
    body: problems.problemForm,
    bodyBytes: BODY_LIMITS.longFormBytes,
    form: { case: 'the zip' },
    fileBytes: TEST_DATA_LIMITS.singleRequestBytes,
    data: problems.testDataAccepted.nullable(),
    errors: ['bad_zip', 'reveals_tests', 'stale_edit'],
  },
  'DELETE /problem/manage/:id': {
    who: 'staff',
    about: 'problem',
    right: 'problem.write',
    summary: 'Deletes a problem.',
    errors: ['stale_edit'],
  },
  'POST /problem/:id/copy': {
    who: 'staff',
    about: 'problem',
    right: 'problem.write',
    summary: 'Copies a problem into another course, hidden, with its test data.',
    body: problems.problemCopy,
    data: problems.problemCreated,
  },
  'POST /problem/:id/file': {
    who: 'staff',
    about: 'problem',
    right: 'problem.write',
    summary: 'Adds an image or a PDF to the statement; Markdown names it `/api/file/{fileId}`.',
    form: { file: 'PNG, JPEG, GIF, WebP or PDF' },
    fileBytes: PROBLEM_FILES.pdfBytes,
    data: problemFile,
    status: 201,
    errors: ['bad_file', 'too_many_files'],
  },
  'DELETE /problem/:id/file/:fileId': {
    who: 'staff',
    about: 'problem',
    right: 'problem.write',
    summary: 'Removes a file from the statement, unless its stored text shows it.',
    errors: ['file_not_found', 'file_shown'],
  },
  'GET /file/:fileId': {
    who: 'member',
    about: 'file',
    summary: 'A file of a statement, for those who see a problem that has it.',
    file: '*/*',
    errors: ['file_not_found', 'object_lost'],
  },
  'POST /problem/:id/initiate-test-case-upload': {
    who: 'staff',
    about: 'problem',
    right: 'problem.write',
    summary: 'Begins an upload of test data in parts.',
    body: problems.uploadStart,
    data: problems.uploadStarted,
  },
  'PUT /problem/:id/test-case-upload/:uploadId/:part': {
    who: 'staff',
    about: 'problem',
    right: 'problem.write',
    summary: 'One part’s bytes.',
    params: partPath,
    bytes: true,
    data: problems.uploadPart,
    errors: ['upload_not_found', 'bad_part', 'length_required', 'too_large'],
  },
  'POST /problem/:id/complete-test-case-upload': {
    who: 'staff',
    about: 'problem',
    right: 'problem.write',
    summary: 'Ends an upload; the zip is checked and comes into force.',
    body: problems.uploadCompletion,
    data: problems.testDataAccepted,
    status: 201,
    errors: ['upload_not_found', 'bad_part', 'bad_zip'],
  },
  'DELETE /problem/:id/test-case-upload/:uploadId': {
    who: 'staff',
    about: 'problem',
    right: 'problem.write',
    summary: 'Aborts an upload.',
    errors: ['upload_not_found'],
  },
  'GET /problem/:id/testcase': {
    who: 'staff',
    about: 'problem',
    right: 'course.read',
    summary: 'The test data as they were uploaded.',
    file: 'application/zip',
    errors: ['test_data_not_found', 'object_lost'],
  },
  'POST /problem/:id/cancel': {
    who: 'staff',
    about: 'problem',
    right: 'submission.rejudge',
    summary:
      'Cancels the judging of all submissions to a problem that wait for their verdict, a hundred in each call.',
    data: submissionsCancelled,
    errors: ['problem_not_found'],
  },
  'GET /problem/:id/rejudge': {
    who: 'staff',
    about: 'problem',
    right: 'submission.rejudge',
    summary:
      'The problem’s rejudge that is not over; without one, how many results are of earlier test data.',
    data: problemRejudge,
  },
  'POST /problem/:id/rejudge': {
    who: 'staff',
    about: 'problem',
    right: 'submission.rejudge',
    summary:
      'Judges the submissions to a problem again, after all live submissions; the new results count once all are judged. An earlier rejudge that waits to be applied by hand is cancelled.',
    body: bulkRejudge,
    data: operationStarted,
    status: 202,
    errors: ['problem_not_found', 'no_test_data'],
  },
} satisfies Rows
