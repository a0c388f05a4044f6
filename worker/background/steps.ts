/** Every kind of background job and the function that does its chunks. */
import type { JobKind } from '#contract/jobs'
import { signupStep } from '../features/auth/batch-signup-job.ts'
import { copycatStep } from '../features/copycat/report-step.ts'
import { rejudgeStep } from '../features/judging/bulk-rejudge.ts'
import type { JobStep } from '../features/jobs/step.ts'

export const STEPS: Record<JobKind, JobStep> = {
  rejudge: rejudgeStep,
  batch_signup: signupStep,
  copycat: copycatStep,
}
