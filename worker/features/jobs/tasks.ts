/** Every kind of background job and the function that does its chunks. */
import type { JobKind } from '#contract/jobs'
import { rejudgeStep } from '../judging/bulk-rejudge.ts'
import type { JobStep } from './step.ts'

export const STEPS: Record<JobKind, JobStep> = {
  rejudge: rejudgeStep,
}
