/** The step function of every kind of operation. */
import type { OperationKind } from '#contract/operations'
import { signupStep } from '../features/auth/batch-signup-operation.ts'
import { copycatStep } from '../features/copycat/report-step.ts'
import { rejudgeStep } from '../features/judging/bulk-rejudge.ts'
import type { OperationStep } from '../features/operations/step.ts'

export const STEPS: Record<OperationKind, OperationStep> = {
  rejudge: rejudgeStep,
  batch_signup: signupStep,
  copycat: copycatStep,
}
