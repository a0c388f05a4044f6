/** Labels of a course's members: a lab, a group, a need for more time. */
import * as z from 'zod'
import { intBetween, listOf, username, visibleName } from '#contract/fields'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'

const labelId = z.int().min(1)

/** A label id in a query, where everything is text. */
export const labelIdText = z.coerce.number<string>().pipe(labelId)

/** A label. Only staff see it and its people, unless it is `shown`: then every member of the course does. */
export const label = z.object({ id: labelId, name: z.string(), shown: z.boolean() })
export type Label = z.infer<typeof label>

/**
 * PUT /course/{name}/labels: all labels of the course. `id` null: a new one. A label that is absent is deleted, together with its dates in
 * homeworks.
 */
export const labelList = z.object({
  labels: listOf(
    z.object({
      id: intBetween(1, Number.MAX_SAFE_INTEGER).nullable(),
      name: visibleName(TEXT_LIMITS.labelName),
      shown: z.boolean().default(false),
    }),
    COUNT_LIMITS.labels,
  ),
})
export type LabelList = z.infer<typeof labelList>

/** Answer of PUT: the labels as they are now. `kept`: the marks that are kept until staff confirm the lower ones. */
export const labelsChanged = z.object({ labels: z.array(label), kept: z.int() })

/** PATCH /course/{name}/labels/members: all labels of these students; other students keep theirs. */
export const memberLabels = z.object({
  members: listOf(
    z.object({ username, labels: listOf(labelId, COUNT_LIMITS.labels) }),
    COUNT_LIMITS.membersPerRequest,
    1,
  ),
})
export type MemberLabels = z.infer<typeof memberLabels>

/** A filter for staff: only the people with a label of the course. */
export const labelParams = z.object({ label: labelIdText.optional() })
