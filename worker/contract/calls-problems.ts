/** The calls about problems and their test data. */
import type { Call } from '#contract/call'
import { operationStarted } from '#contract/operations'
import { BODY_LIMITS, TEST_DATA_LIMITS } from '#contract/limits'
import * as problems from '#contract/problems'
import { bulkRejudge } from '#contract/runners'
import { problemStats } from '#contract/stats'

/** In the order of the contract. */
export const PROBLEM_CALLS: readonly Call[] = [
  {
    route: 'GET /problem',
    who: 'member',
    summary: 'Problems of a course; students see those that are visible and have begun.',
    query: problems.problemListParams,
    data: problems.problemPage,
  },
  { route: 'GET /problem/:id', who: 'member', summary: 'A problem.', data: problems.problem },
  {
    route: 'GET /problem/:id/stats',
    who: 'member',
    summary: 'Numbers about a problem.',
    data: problemStats,
  },
  {
    route: 'POST /problem/manage',
    who: 'staff',
    summary: 'Creates a problem.',
    body: problems.newProblem,
    bodyBytes: BODY_LIMITS.longFormBytes,
    data: problems.problemCreated,
  },
  {
    route: 'GET /problem/manage/:id',
    who: 'staff',
    summary: 'A problem with its full form.',
    data: problems.managedProblem,
  },
  {
    route: 'PUT /problem/manage/:id',
    who: 'staff',
    summary: 'Changes a problem (JSON), or its test data (a form with a zip of at most 16 MB).',
    body: problems.problemForm,
    bodyBytes: BODY_LIMITS.longFormBytes,
    form: { case: 'the zip' },
    fileBytes: TEST_DATA_LIMITS.singleRequestBytes,
    data: problems.testDataAccepted.nullable(),
    errors: ['bad_zip', 'stale_edit'],
  },
  {
    route: 'DELETE /problem/manage/:id',
    who: 'staff',
    summary: 'Deletes a problem.',
    errors: ['stale_edit'],
  },
  {
    route: 'POST /problem/:id/copy',
    who: 'staff',
    summary: 'Copies a problem into another course, hidden, with its test data.',
    body: problems.problemCopy,
    data: problems.problemCreated,
  },
  {
    route: 'POST /problem/:id/initiate-test-case-upload',
    who: 'staff',
    summary: 'Begins an upload of test data in parts.',
    body: problems.uploadStart,
    data: problems.uploadStarted,
  },
  {
    route: 'PUT /problem/:id/test-case-upload/:uploadId/:part',
    who: 'staff',
    summary: 'One part’s bytes.',
    bytes: true,
    data: problems.uploadPart,
    errors: ['upload_not_found', 'bad_part', 'length_required', 'too_large'],
  },
  {
    route: 'POST /problem/:id/complete-test-case-upload',
    who: 'staff',
    summary: 'Ends an upload; the zip is checked and comes into force.',
    body: problems.uploadCompletion,
    data: problems.testDataAccepted,
    status: 201,
    errors: ['upload_not_found', 'bad_part', 'bad_zip', 'stale_upload'],
  },
  {
    route: 'DELETE /problem/:id/test-case-upload/:uploadId',
    who: 'staff',
    summary: 'Gives an upload up.',
    errors: ['upload_not_found'],
  },
  {
    route: 'GET /problem/:id/testcase',
    who: 'staff',
    summary: 'The test data as they were uploaded.',
    file: 'application/zip',
    errors: ['test_data_not_found'],
  },
  {
    route: 'POST /problem/:id/rejudge',
    who: 'staff',
    summary: 'Judges the submissions to a problem again, behind live ones.',
    body: bulkRejudge,
    data: operationStarted,
    status: 202,
    errors: ['problem_not_found', 'no_test_data'],
  },
]
