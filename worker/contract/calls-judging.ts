/** The calls about submissions, judge hosts and housekeeping (contract §7, §8, §10). */
import { auditPage, auditQuery } from '#contract/audit'
import type { Call } from '#contract/call'
import { health } from '#contract/health'
import { jobStarted, jobStatus } from '#contract/jobs'
import { languageList, LANGUAGES } from '#contract/languages'
import {
  heartbeat,
  heartbeatAnswer,
  job,
  jobRelease,
  progressReport,
  resultReport,
  runnerRegistered,
  runnerRegistration,
} from '#contract/judging'
import {
  newRunner,
  queueState,
  requeue,
  runnerAdded,
  runnerEdit,
  runnerList,
} from '#contract/runners'
import {
  caseOutput,
  newSubmission,
  submissionCreated,
  submissionDetail,
  submissionPage,
  submissionQuery,
} from '#contract/submissions'

/** In the order of the contract. */
export const JUDGING_CALLS: readonly Call[] = [
  {
    route: 'POST /submission',
    who: 'member',
    summary:
      'Hands in code; without `code` it comes by PUT. The same `Idempotency-Key` again answers the same submission.',
    body: newSubmission,
    data: submissionCreated,
    errors: [
      'problem_not_found',
      'empty_code',
      'no_language',
      'language_not_allowed',
      'quota_exceeded',
      'code_too_large',
      'too_many_submissions',
      'no_test_data',
      'idempotency_mismatch',
    ],
  },
  {
    route: 'PUT /submission/:id',
    who: 'submitter',
    summary: 'The code of a submission that was announced without it.',
    form: {
      code: `the source file, or a zip that holds exactly one, named ${LANGUAGES.map(({ file }) => file).join(', ')}`,
    },
    data: submissionCreated,
    errors: [
      'submission_not_found',
      'empty_code',
      'bad_source_zip',
      'code_too_large',
      'code_already_sent',
      'language_not_allowed',
      'quota_exceeded',
      'no_test_data',
    ],
  },
  {
    route: 'GET /submission',
    who: 'session',
    summary: 'Submissions, newest first: one’s own; all of a course for its staff, all for admins.',
    query: submissionQuery,
    data: submissionPage,
    errors: ['course_not_found'],
  },
  {
    route: 'GET /submission/:id',
    who: 'submitter',
    summary: 'A submission with its verdict, code and history; also for staff.',
    data: submissionDetail,
    errors: ['submission_not_found'],
  },
  {
    route: 'GET /submission/:id/output/:task/:case',
    who: 'submitter',
    summary:
      'What the program printed on one case: sample cases for the submitter, all kept ones for staff.',
    data: caseOutput,
    errors: ['submission_not_found', 'output_not_found'],
  },
  {
    route: 'POST /submission/:id/rejudge',
    who: 'staff',
    summary: 'Judges a submission again; the old result stays in its history.',
    errors: ['submission_not_found', 'no_test_data'],
  },
  {
    route: 'GET /submission/:id/rejudge',
    who: 'staff',
    summary: 'Judges a submission again; the older form.',
    errors: ['submission_not_found', 'no_test_data'],
  },
  {
    route: 'GET /languages',
    who: 'session',
    summary: 'How each language is compiled and run, and by which versions.',
    data: languageList,
  },
  { route: 'GET /runners', who: 'admin', summary: 'The judge hosts.', data: runnerList },
  {
    route: 'POST /runners',
    who: 'admin',
    summary: 'Adds a judge host; its token is shown this once.',
    body: newRunner,
    data: runnerAdded,
  },
  {
    route: 'PATCH /runners/:id',
    who: 'admin',
    summary: 'Renames a judge host, drains it or puts it back to work.',
    body: runnerEdit,
    errors: ['runner_not_found'],
  },
  {
    route: 'DELETE /runners/:id',
    who: 'admin',
    summary: 'Removes a judge host; its token is refused and its jobs are free at once.',
    errors: ['runner_not_found'],
  },
  {
    route: 'GET /runners/queue',
    who: 'anyStaff',
    summary: 'How long the queue is and how fast it goes.',
    data: queueState,
  },
  {
    route: 'POST /runners/requeue',
    who: 'anyStaff',
    summary: 'Judges every Judge Error again, of a problem or of all courses one is staff of.',
    body: requeue,
    data: jobStarted,
    status: 202,
    errors: ['problem_not_found', 'no_test_data'],
  },
  {
    route: 'POST /runner/register',
    who: 'registration',
    summary: 'A new judge host registers.',
    body: runnerRegistration,
    data: runnerRegistered,
  },
  {
    route: 'POST /runner/heartbeat',
    who: 'runner',
    summary: 'A sign of life; extends the leases it names.',
    body: heartbeat,
    data: heartbeatAnswer,
  },
  {
    route: 'POST /runner/jobs/claim',
    who: 'runner',
    summary: 'The best job there is, leased; 204 when there is none.',
    data: job,
    mayBeEmpty: true,
  },
  {
    route: 'POST /runner/jobs/:id/progress',
    who: 'runner',
    summary: 'How far a job has come.',
    body: progressReport,
    errors: ['stale_lease'],
  },
  {
    route: 'PUT /runner/jobs/:id/result',
    who: 'runner',
    summary: 'The result of a job; stored once per lease.',
    body: resultReport,
    errors: ['stale_lease'],
  },
  {
    route: 'POST /runner/jobs/:id/release',
    who: 'runner',
    summary: 'Hands a job back.',
    body: jobRelease,
    errors: ['stale_lease'],
  },
  {
    route: 'GET /runner/test-data/:version',
    who: 'runner',
    summary: 'A version of test data; takes Range.',
    file: 'application/zip',
    errors: ['test_data_not_found'],
  },
  {
    route: 'GET /audit',
    who: 'admin',
    summary: 'Who did what when from where, newest first.',
    query: auditQuery,
    data: auditPage,
  },
  {
    route: 'GET /jobs/:jobId',
    who: 'owner',
    summary: 'How far a background job has come.',
    data: jobStatus,
    errors: ['job_not_found'],
  },
  {
    route: 'GET /health',
    who: 'anyone',
    summary: 'Whether this installation can judge.',
    data: health,
  },
  {
    route: 'GET /openapi.json',
    who: 'anyone',
    summary: 'This API as an OpenAPI 3.1 document.',
    file: 'application/json',
  },
  {
    route: 'GET /docs',
    who: 'anyone',
    summary: 'This API as a page to read.',
    file: 'text/html',
  },
]
