/** The step function of every kind of operation. */
import type { OperationKind } from '#contract/operations'
import { signupStep } from '../features/auth/sign-up/batch-signup-operation.ts'
import { copycatStep } from '../features/copycat/report-step.ts'
import { rejudgeStep } from '../features/judging/rejudge/bulk-rejudge.ts'
import { applyStep, previewStep } from '../features/judging/rejudge/preview.ts'
import type { OperationStep } from '../features/operations/step.ts'

export const STEPS: Record<OperationKind, OperationStep> = {
  rejudge: rejudgeStep,
  rejudge_preview: previewStep,
  apply_preview: applyStep,
  batch_signup: signupStep,
  copycat: copycatStep,
}
