/** The step of the operation `marks`: computes the stale marks of a course, a few people at a time. */
import * as z from 'zod'
import type { OperationStep } from '../operations/step.ts'
import { finishOperation } from '../operations/queries.ts'

/** `done`: marks computed so far. */
export const marksPayload = z.object({ courseId: z.int() })

/** Computes stale marks. */
export const marksStep: OperationStep<z.infer<typeof marksPayload>> = async ({
  db,
  operation,
  now,
}) => {
  await finishOperation(db, operation, null, now)
  return null
}
