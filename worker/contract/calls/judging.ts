/** The calls about submissions, judge hosts and housekeeping. */
import * as z from 'zod'
import { auditPage, auditParams } from '#contract/audit'
import type { Rows } from '#contract/calls/call'
import * as copycat from '#contract/copycat'
import { alarmList, alarmTrial } from '#contract/installation/alarms'
import { health, healthParams } from '#contract/installation/health'
import { idInPath, intBetween } from '#contract/fields'
import { operationStarted, operationStatus } from '#contract/operations'
import { languageList, LANGUAGES } from '#contract/languages'
import * as judging from '#contract/judging'
import { HOST_JOB, liveHint } from '#contract/live'
import { storageConfirmation, storageStatus } from '#contract/installation/storage'
import { BODY_LIMITS, COUNT_LIMITS, SOURCE_ZIP_LIMIT_BYTES } from '#contract/limits'
import * as rejudges from '#contract/judging/rejudges'
import * as runners from '#contract/judging/runners'
import * as setup from '#contract/installation/setup'
import * as submissions from '#contract/submissions'

const casePath = z.object({
  id: z.string(),
  task: z.coerce.number<string>().pipe(intBetween(0, COUNT_LIMITS.subtasks)),
  case: z.coerce.number<string>().pipe(intBetween(0, COUNT_LIMITS.casesPerSubtask)),
})

/** The rows of these calls in the table of calls. */
export const JUDGING_CALLS = {
  'POST /submission': {
    who: 'member',
    checkedBy: 'statement',
    scope: 'submit',
    rate: 'bulkWrite',
    summary:
      'Hands in code; without `code` it comes by PUT. The same `Idempotency-Key` again answers the same submission.',
    refusedAs: { languageType: 'no_language' },
    body: submissions.newSubmission,
    bodyBytes: BODY_LIMITS.submissionBytes,
    data: submissions.submissionCreated,
    errors: [
      'problem_not_found',
      'empty_code',
      'no_language',
      'language_not_allowed',
      'quota_exceeded',
      'code_too_large',
      'too_many_submissions',
      'too_much_source',
      'no_test_data',
      'idempotency_mismatch',
    ],
  },
  'PUT /submission/:id': {
    who: 'submitter',
    about: 'submission',
    scope: 'submit',
    rate: 'bulkWrite',
    summary: 'Sends the code of a submission that was created without it.',
    form: {
      code: `the source file, or a zip that holds exactly one, named ${LANGUAGES.map(({ file }) => file).join(', ')}`,
    },
    fileBytes: SOURCE_ZIP_LIMIT_BYTES,
    data: submissions.submissionCreated,
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
  'GET /submission': {
    who: 'session',
    rate: 'heavyRead',
    summary:
      'Submissions, newest first: one’s own; for staff all of the course, for admins all. Pages go on by `cursor`; ' +
      `\`offset\` ends at ${COUNT_LIMITS.listOffset}.`,
    query: submissions.submissionListParams,
    data: submissions.submissionPage,
    errors: ['course_not_found', 'forbidden'],
  },
  'GET /submission/:id': {
    who: 'submitter',
    about: 'submission',
    summary: 'A submission with its verdict, code and history; also for staff.',
    data: submissions.submissionDetail,
    errors: ['submission_not_found', 'object_lost'],
  },
  'GET /submission/:id/output/:task/:case': {
    who: 'submitter',
    about: 'submission',
    right: 'course.read',
    rate: 'heavyRead',
    summary:
      'What the program read and printed on one case: sample cases for the submitter, all kept ones for staff.',
    params: casePath,
    data: submissions.caseOutput,
    errors: ['submission_not_found', 'output_not_found'],
  },
  'POST /submission/:id/cancel': {
    who: 'submitter',
    about: 'submission',
    right: 'course.read',
    scope: 'submit',
    summary:
      'Cancels the judging of a submission that waits for its first verdict, which makes it a Judge Error that uses no quota. Staff can also cancel a rejudge: the earlier result stays.',
    errors: ['submission_not_found', 'not_pending'],
  },
  'POST /submission/:id/rejudge': {
    who: 'staff',
    about: 'submission',
    right: 'submission.rejudge',
    summary: 'Judges a submission again; the old result stays in its history.',
    errors: ['submission_not_found', 'object_lost', 'no_test_data'],
  },
  'GET /submission/:id/rejudge': {
    who: 'staff',
    about: 'submission',
    right: 'submission.rejudge',
    changes: true,
    summary: 'Judges a submission again; the older form.',
    errors: ['submission_not_found', 'object_lost', 'no_test_data'],
  },
  'GET /languages': {
    who: 'session',
    summary: 'How each language is compiled and run, and by which versions.',
    data: languageList,
  },
  'GET /live': {
    who: 'session',
    summary:
      'Opens a WebSocket (`Upgrade: websocket`) over which the server says what has changed: submissions of the person, sample runs, questions, announcements. For pages of the judge, not for API tokens.',
    data: liveHint,
    status: 101,
    errors: ['token_scope', 'cross_site', 'upgrade_required', 'live_off', 'too_many_sockets'],
  },
  'POST /copycat': {
    who: 'staff',
    about: 'course',
    right: 'copycat.use',
    summary:
      'Starts a search for copies among the submissions to a problem; while one runs, answers with that search.',
    body: copycat.copycatStart,
    data: copycat.copycatStarted,
    status: 202,
    errors: ['course_not_found', 'problem_not_found', 'user_not_found'],
  },
  'GET /copycat': {
    who: 'staff',
    about: 'course',
    right: 'copycat.use',
    summary: 'How far the search for copies has come, or the pairs it found.',
    query: copycat.copycatParams,
    data: copycat.copycatState,
    errors: ['course_not_found', 'problem_not_found', 'report_not_found'],
  },
  'DELETE /copycat': {
    who: 'staff',
    about: 'course',
    right: 'copycat.use',
    summary: 'Stops the search for copies; the report before it stays.',
    body: copycat.copycatRef,
    errors: ['course_not_found', 'problem_not_found', 'no_report_running'],
  },
  'GET /copycat/:id/pair': {
    who: 'staff',
    about: 'problem',
    right: 'copycat.use',
    summary: 'Two submissions to a problem side by side, with the parts they have in common.',
    query: copycat.copycatPairParams,
    data: copycat.copycatComparison,
    errors: ['problem_not_found', 'submission_not_found', 'object_lost'],
  },
  'GET /runners': {
    who: 'admin',
    right: 'fleet.manage',
    summary: 'The judge hosts.',
    data: runners.runnerList,
  },
  'POST /runners': {
    who: 'admin',
    right: 'fleet.manage',
    summary: 'Adds a judge host; its token is shown this once.',
    body: runners.newRunner,
    data: runners.runnerAdded,
    errors: ['password_required'],
  },
  'PATCH /runners/:id': {
    who: 'admin',
    about: 'host',
    right: 'fleet.manage',
    summary: 'Renames a judge host, drains it, puts it back to work or limits its slots.',
    body: runners.runnerEdit,
    errors: ['runner_not_found', 'stale_edit'],
  },
  'DELETE /runners/:id': {
    who: 'admin',
    about: 'host',
    right: 'fleet.manage',
    summary: 'Removes a judge host; its token is refused and its jobs are free at once.',
    errors: ['runner_not_found'],
  },
  'GET /runners/queue': {
    who: 'anyStaff',
    about: 'courses',
    scope: 'queue',
    summary: 'How long the queue is, and how fast it is judged.',
    data: runners.queueState,
  },
  'POST /runners/requeue': {
    who: 'anyStaff',
    about: 'courses',
    scope: 'admin',
    summary:
      'Rejudges all submissions with a Judge Error, of one problem or of all courses where one is staff.',
    body: rejudges.requeue,
    data: operationStarted,
    status: 202,
    errors: ['problem_not_found', 'no_test_data'],
  },
  'POST /runner/register': {
    who: 'registration',
    summary: 'A new judge host registers.',
    body: judging.runnerRegistration,
    data: judging.runnerRegistered,
    errors: ['not_configured', 'too_many_runners'],
  },
  'POST /runner/heartbeat': {
    who: 'runner',
    summary: 'A sign of life; extends the leases it names.',
    body: judging.heartbeat,
    data: judging.heartbeatAnswer,
  },
  'GET /runner/live': {
    who: 'runner',
    summary:
      'Opens a WebSocket (`Upgrade: websocket`) over which a host says `waits`, and the server once `job`: a claim made now is likely to find one.',
    data: z.literal(HOST_JOB),
    status: 101,
    errors: ['upgrade_required', 'live_off', 'too_many_sockets'],
  },
  'POST /runner/jobs/claim': {
    who: 'runner',
    summary:
      'Leases the host the best waiting job; 204 when none waits, or none that a host with all slots full may hold.',
    body: judging.claimRequest,
    data: judging.job,
    mayBeEmpty: true,
  },
  'POST /runner/jobs/:id/progress': {
    who: 'runner',
    summary: 'How far a job has come.',
    params: idInPath,
    body: judging.progressReport,
    errors: ['stale_lease'],
  },
  'PUT /runner/jobs/:id/result': {
    who: 'runner',
    summary: 'The result of a job; stored once per lease. With `next`, the answer is the next job.',
    params: idInPath,
    body: judging.resultReport,
    data: judging.job.nullable(),
    bodyBytes: BODY_LIMITS.resultBytes,
    errors: ['stale_lease', 'bad_result'],
  },
  'POST /runner/jobs/:id/release': {
    who: 'runner',
    summary: 'Hands a job back.',
    params: idInPath,
    body: judging.jobRelease,
    errors: ['stale_lease'],
  },
  'GET /runner/test-data/:version': {
    who: 'runner',
    summary: 'The test data of a job that this host holds now; takes Range.',
    file: 'application/zip',
    errors: ['test_data_not_found', 'object_lost'],
  },
  'GET /audit': {
    who: 'admin',
    right: 'audit.read',
    summary: 'The audit log: who did what, when and from where; newest first.',
    query: auditParams,
    data: auditPage,
  },
  'GET /jobs/:jobId': {
    who: 'owner',
    about: 'operation',
    summary: 'How far a background job has come.',
    data: operationStatus,
    errors: ['job_not_found'],
  },
  'GET /jobs/:jobId/changes': {
    who: 'staff',
    about: 'operation',
    summary: 'The submissions that a bulk rejudge would change, as far as it has judged them.',
    query: rejudges.rejudgedChangesParams,
    data: rejudges.rejudgedChangesPage,
    errors: ['job_not_found'],
  },
  'POST /jobs/:jobId/apply': {
    who: 'staff',
    about: 'operation',
    summary: 'Applies the results of a bulk rejudge, except new Judge Errors.',
    errors: ['job_not_found', 'rejudge_applying', 'rejudge_not_ready'],
  },
  'POST /jobs/:jobId/cancel': {
    who: 'staff',
    about: 'operation',
    summary: 'Ends a bulk rejudge that is not yet applied; every submission keeps its result.',
    errors: ['job_not_found', 'rejudge_applying'],
  },
  'GET /storage': {
    who: 'admin',
    right: 'storage.manage',
    summary:
      'Whether the sweeper may delete in the bucket, and what it waits for; how full the database is.',
    data: storageStatus,
  },
  'POST /storage/confirm': {
    who: 'admin',
    right: 'storage.manage',
    summary:
      'Lets the sweeper delete again: confirms that the bucket belongs to this database, or allows many deletions for a day.',
    body: storageConfirmation,
    errors: ['storage_changed'],
  },
  'GET /setup': {
    who: 'admin',
    right: 'installation.setUp',
    summary: 'What the installation still needs before courses can begin.',
    query: setup.setupParams,
    data: setup.setupItems,
  },
  'POST /setup/mail': {
    who: 'admin',
    right: 'installation.setUp',
    summary: 'Sends the caller a test mail and waits for the answer of the mail driver.',
    data: setup.mailTrial,
    errors: ['not_configured'],
  },
  'POST /setup/alarms': {
    who: 'admin',
    right: 'installation.setUp',
    summary: 'Sends a test alarm by each configured way, and waits for the answers.',
    data: alarmTrial,
    errors: ['not_configured'],
  },
  'GET /alarms': {
    who: 'admin',
    right: 'installation.setUp',
    summary: 'The states in which the operator must act, as the sweeper last found them.',
    data: alarmList,
  },
  'POST /setup/hashing': {
    who: 'admin',
    right: 'installation.setUp',
    summary: 'Hashes several passwords: on too small a plan the platform ends this request.',
  },
  'GET /metrics': {
    who: 'metrics',
    summary: 'Figures of queue, judge hosts and errors, in the form of OpenMetrics.',
    file: 'application/openmetrics-text',
    errors: ['not_configured'],
  },
  'GET /health': {
    who: 'anyone',
    summary:
      'Whether this installation can judge. 503 when the database is down or older than the code, or when the sweeper is late; with `strict=1` also when no host judges.',
    query: healthParams,
    data: health,
    errors: ['unhealthy'],
  },
  'GET /openapi.json': {
    who: 'anyone',
    summary: 'This API as an OpenAPI 3.1 document.',
    file: 'application/json',
  },
  'GET /docs': {
    who: 'anyone',
    summary: 'This API as a page to read.',
    file: 'text/html',
  },
} satisfies Rows
