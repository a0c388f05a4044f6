/** Copies of courses and homeworks with moved dates. */
import * as z from 'zod'
import { newCourseName, timeZone } from '#contract/courses'
import { courseName, epochSeconds, hexId, listOf, visibleName } from '#contract/fields'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'

const times = {
  start: epochSeconds,
  end: epochSeconds,
  close: epochSeconds.nullable().default(null),
}

/** Times in order; otherwise the field that comes too early. */
function checkTimes(
  { start, end, close }: { start: number; end: number; close: number | null },
  context: z.RefinementCtx,
): void {
  if (end < start)
    context.addIssue({ code: 'custom', path: ['end'], params: { code: 'min_value', min: start } })
  if (close !== null && close < end)
    context.addIssue({ code: 'custom', path: ['close'], params: { code: 'min_value', min: end } })
}

/** Labels' dates in order, once for each label. */
function checkLabels(
  { start, end, labels }: { start: number; end: number; labels: LabelTimes[] },
  context: z.RefinementCtx,
): void {
  for (const [index, { opens, due, closes }] of labels.entries()) {
    const [first, second] = [opens ?? start, due ?? end]
    if (second < first)
      context.addIssue({
        code: 'custom',
        path: ['labels', index, 'due'],
        params: { code: 'min_value', min: first },
      })
    if (closes !== null && closes < second)
      context.addIssue({
        code: 'custom',
        path: ['labels', index, 'closes'],
        params: { code: 'min_value', min: second },
      })
  }
  if (new Set(labels.map(({ label }) => label)).size !== labels.length)
    context.addIssue({ code: 'custom', path: ['labels'], params: { code: 'invalid' } })
}

/** The dates of a label in a homework, as in `homeworkOverride`. `label`: its id in the old course. */
const labelTimes = z.object({
  label: z.int().min(1),
  opens: epochSeconds.nullable(),
  due: epochSeconds.nullable(),
  closes: epochSeconds.nullable(),
})
type LabelTimes = z.infer<typeof labelTimes>

/** A homework that comes along, by its id in the old course, with its new dates. Labels' dates that are absent stay behind. */
const copiedHomework = z
  .object({ id: hexId, ...times, labels: listOf(labelTimes, COUNT_LIMITS.labels).default([]) })
  .superRefine(checkTimes)
  .superRefine(checkLabels)

/**
 * POST /course/{name}/copy: a new course of the caller with the problems, test data, announcements, labels, late days and settings of this
 * one, with its gradebook's columns and groups, and with the homeworks that are named. People, submissions, marks, and dates of one's own or
 * of all stay behind. Copied problems keep who sees them, but no column of the gradebook keeps who sees its marks. `closeOld`: closes the old course.
 */
export const courseCopy = z.object({
  course: newCourseName,
  timeZone: timeZone.optional(),
  homeworks: listOf(copiedHomework, COUNT_LIMITS.copiedHomeworks).default([]),
  closeOld: z.boolean().default(false),
})
export type CourseCopy = z.infer<typeof courseCopy>

/** Answer of POST /course/{name}/copy: what came along. */
export const courseCopied = z.object({
  course: z.string(),
  problems: z.int(),
  homeworks: z.int(),
  announcements: z.int(),
})
export type CourseCopied = z.infer<typeof courseCopied>

/**
 * POST /homework/{id}/copy: the homework with its rules, into a course where the caller is staff. In another course its problems are copied,
 * too, with their test data.
 */
export const homeworkCopy = z
  .object({ courseName, name: visibleName(TEXT_LIMITS.homeworkName).optional(), ...times })
  .superRefine(checkTimes)
export type HomeworkCopy = z.infer<typeof homeworkCopy>
