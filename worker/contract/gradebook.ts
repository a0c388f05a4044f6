/**
 * The gradebook: people × columns. A column is a homework, one that staff fill by hand, or the total. Points on the wire have two decimals; the
 * database holds whole hundredths.
 */
import * as z from 'zod'
import {
  epochSeconds,
  hexId,
  intBetween,
  listOf,
  listOfUsernames,
  userInfo,
  username,
  visibleName,
  requiredText,
} from '#contract/fields'
import { labelIdText } from '#contract/labels'
import { COUNT_LIMITS, GRADEBOOK_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { markDerivation } from '#contract/mark-derivation'

/** Points with at most two decimals. */
const points = z
  .number()
  .min(0)
  .max(GRADEBOOK_LIMITS.points)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6)

/** When students see the marks of a column: not, from the homework's closing on (each by their own dates), or now. */
export const shown = z.enum(['no', 'atClosing', 'yes'])
export type Shown = z.infer<typeof shown>

export const columnKind = z.enum(['homework', 'manual', 'total'])
export type ColumnKind = z.infer<typeof columnKind>

const columnId = z.int().min(1)

/** The parameters of a path with a column, and of one with a column and a person. */
export const columnInPath = z.object({
  name: z.string(),
  columnId: z.coerce.number<string>().pipe(columnId),
})
export const cellInPath = columnInPath.extend({ username })

/**
 * A column. `homeworkId` only in columns of homeworks. `max`: for a homework the points of its problems. `weight` null: as `max`; in the total it says nothing.
 * `groupId` null: no part of the total. `extra`: it adds to its group without being part of the maximum.
 */
const column = z.object({
  id: columnId,
  kind: columnKind,
  homeworkId: hexId.nullable(),
  name: z.string(),
  max: z.number(),
  groupId: z.int().nullable(),
  weight: z.number().nullable(),
  extra: z.boolean(),
  shown,
})
export type GradebookColumn = z.infer<typeof column>

const groupRule = {
  name: visibleName(TEXT_LIMITS.labelName),
  weight: points.nullable(),
  dropLowest: intBetween(0, GRADEBOOK_LIMITS.columns),
  capPercent: intBetween(1, GRADEBOOK_LIMITS.capPercent),
  extra: z.boolean(),
}

/** A group of columns; its rule is that of `TotalGroup`. */
const group = z.object({ id: z.int(), ...groupRule })
export type GradebookGroup = z.infer<typeof group>

/** How the total is made: see `TotalRule`. `forAssistants`: teaching assistants see totals, too. */
const totalRule = {
  outOf: points.nullable(),
  decimals: z.literal([0, 1, 2]),
  forAssistants: z.boolean(),
}

/**
 * GET /course/{name}/gradebook/columns: the columns in order, the total last, which is absent for those who may not see it. For staff. `ETag`: for PUT.
 */
export const gradebookColumns = z.object({
  columns: z.array(column),
  groups: z.array(group),
  total: z.object({ ...totalRule, max: z.number() }),
})
export type GradebookColumns = z.infer<typeof gradebookColumns>

/** What `checkForm` reads of the form. */
interface CheckedForm {
  groups: { id: number | null }[]
  columns: {
    id: number | null
    name?: string | undefined
    max?: number | undefined
    group: number | null
  }[]
  deleted: number[]
}

/** Each group and column once, groups that are in the form, and a name and a maximum for each new column. */
function checkForm({ groups, columns, deleted }: CheckedForm, context: z.RefinementCtx): void {
  const refuse = (path: (string | number)[], code: 'invalid' | 'required') =>
    context.addIssue({ code: 'custom', path, params: { code } })
  const isTwice = (ids: (number | null)[], index: number) =>
    ids[index] !== null && ids.indexOf(ids[index] ?? null) < index
  const groupIds = groups.map(({ id }) => id)
  for (const index of groups.keys())
    if (isTwice(groupIds, index)) refuse(['groups', index, 'id'], 'invalid')
  const ids = columns.map(({ id }) => id)
  for (const [index, { id, name, max, group }] of columns.entries()) {
    if (isTwice(ids, index)) refuse(['columns', index, 'id'], 'invalid')
    if (group !== null && group >= groups.length) refuse(['columns', index, 'group'], 'invalid')
    if (id === null && name === undefined) refuse(['columns', index, 'name'], 'required')
    if (id === null && max === undefined) refuse(['columns', index, 'max'], 'required')
  }
  for (const [index, id] of deleted.entries())
    if (ids.includes(id)) refuse(['deleted', index], 'invalid')
}

/**
 * PUT /course/{name}/gradebook/columns: all groups and columns in their order. A group is named by its position in `groups` (`group`), because new ones have no id. Homeworks
 * that are absent move behind the others. `id` null: a new manual column; a manual column that is absent is deleted with its marks, so
 * `deleted` must name it. `name` and `max` are read only in manual columns.
 */
export const gradebookForm = z
  .object({
    groups: listOf(
      z.object({ id: z.int().min(1).nullable(), ...groupRule }),
      GRADEBOOK_LIMITS.groups,
    ),
    columns: listOf(
      z.object({
        id: columnId.nullable(),
        name: visibleName(TEXT_LIMITS.homeworkName).optional(),
        max: points.optional(),
        group: intBetween(0, GRADEBOOK_LIMITS.groups - 1).nullable(),
        weight: points.nullable(),
        extra: z.boolean().default(false),
      }),
      GRADEBOOK_LIMITS.columns,
    ),
    deleted: listOf(columnId, GRADEBOOK_LIMITS.columns).default([]),
    total: z.object(totalRule),
  })
  .superRefine(checkForm)
export type GradebookForm = z.infer<typeof gradebookForm>

/** Stands for an excused mark in cells and CSV files. Source: Canvas. */
export const EXCUSED_TEXT = 'EX'

/**
 * A cell: the mark, null for none; then its marks of state, as letters: `e` excused, `s` set by staff in place of what was computed (homeworks only), `h` held back from
 * its student, `q` an open question about it, `k` kept from before a change of dates.
 */
const cell = z.tuple([z.number().nullable(), z.string()])
export type GradebookCell = z.infer<typeof cell>

/**
 * Query of GET /course/{name}/gradebook. `sort`: `name`, or a column's id (people without a mark come last). `cursor`: `next` of the page before. `label`: only students with it.
 */
export const gradebookParams = z.object({
  sort: z
    .string()
    .regex(/^(?:name|[1-9]\d{0,15})$/)
    .default('name'),
  order: z.enum(['up', 'down']).default('up'),
  label: labelIdText.optional(),
  cursor: z.string().max(256).optional(),
  limit: z.coerce.number<string>().pipe(intBetween(1, GRADEBOOK_LIMITS.pagePeople)).optional(),
})
export type GradebookParams = z.infer<typeof gradebookParams>

/**
 * GET /course/{name}/gradebook: the students. `cells` stand in the order of `columnIds`. `pending`: marks of the course that are still being computed, at most 1,000. `labels`: ids.
 */
export const gradebookPage = z.object({
  columnIds: z.array(columnId),
  people: z.array(z.object({ user: userInfo, labels: z.array(z.int()), cells: z.array(cell) })),
  next: z.string().nullable(),
  pending: z.int(),
})
export type GradebookPage = z.infer<typeof gradebookPage>

/** What staff set in a cell. Points null and not excused: nothing any more, so a homework's mark is the computed one again. */
const setting = { points: points.nullable(), excused: z.boolean().default(false) }

/**
 * PATCH /course/{name}/gradebook: sets marks, all or none, each cell once. The points of an excused student say nothing. `reason` stands with each in its
 * history. Not for the total.
 */
export const markEdits = z
  .object({
    edits: listOf(z.object({ username, columnId, ...setting }), GRADEBOOK_LIMITS.edits, 1),
    reason: z.string().max(TEXT_LIMITS.markReason).default(''),
  })
  .superRefine(({ edits }, context) => {
    const cells = edits.map((edit) => `${edit.columnId} ${edit.username.toLowerCase()}`)
    const seen = new Set<string>()
    const twice = cells.findIndex((cell) => seen.size === seen.add(cell).size)
    if (twice !== -1)
      context.addIssue({ code: 'custom', path: ['edits', twice], params: { code: 'invalid' } })
  })
export type MarkEdits = z.infer<typeof markEdits>

/** Answer of PATCH: the cells as they are now, and these students' totals for those who may see them. */
export const marksEdited = z.object({
  cells: z.array(z.object({ username: z.string(), columnId, cell })),
})

/** What staff set in a cell once. `by`: a username; null if the account is gone. */
const pastSetting = z.object({
  ...setting,
  reason: z.string(),
  by: z.string().nullable(),
  at: epochSeconds,
})
export type PastSetting = z.infer<typeof pastSetting>

/** What a column adds to the total, see `TotalPart`; points. */
const totalPart = z.object({
  columnId,
  groupId: z.int().nullable(),
  name: z.string(),
  fate: z.enum(['counts', 'extra', 'dropped', 'excused']),
  share: z.number(),
  points: z.number(),
})

/** What a group adds to the total: `points` of `sum`, after its cap; points. `name` null: the gradebook has no groups, so all columns add up. */
const totalGroupPart = z.object({
  groupId: z.int(),
  name: z.string().nullable(),
  share: z.number(),
  sum: z.number(),
  points: z.number(),
  capPercent: z.int(),
  extra: z.boolean(),
})

/**
 * A mark with its derivation. `problems`: names for `derivation`. `sentences`: the derivation in English. `given`: the points that staff gave for a problem, or
 * with `problemId` null for the homework. `why`: the reason of the student's own dates in the homework. `part`: what it adds to the total; null where the reader may
 * not see the total. `parts`, `groups`: of the total, all of them. `isPartial`: there are columns whose marks the reader does not see; in the total these count 0.
 * `setting`: what staff set last, while it is in force. `questionId`: the student's newest question about this mark.
 */
export const explainedMark = z.object({
  column,
  user: userInfo,
  points: z.number().nullable(),
  excused: z.boolean(),
  derivation: markDerivation.nullable(),
  problems: z.array(z.object({ problemId: z.int(), name: z.string() })),
  given: z.array(
    z.object({
      problemId: z.int().nullable(),
      points: z.number(),
      comment: z.string(),
      by: z.string().nullable(),
      at: epochSeconds,
    }),
  ),
  setting: pastSetting.nullable(),
  why: z.string().nullable(),
  sentences: z.array(z.string()),
  part: totalPart.nullable(),
  parts: z.array(totalPart),
  groups: z.array(totalGroupPart),
  isPartial: z.boolean(),
  questionId: hexId.nullable(),
})
export type ExplainedMark = z.infer<typeof explainedMark>

/** GET /course/{name}/gradebook/{columnId}/{username}, for staff. `history`: what staff have set, newest first. `held`: its student does not see it. */
export const gradebookMark = explainedMark.extend({
  history: z.array(pastSetting),
  held: z.boolean(),
})
export type GradebookMark = z.infer<typeof gradebookMark>

/** PUT /course/{name}/gradebook/{columnId}/shown. For the total only the teacher. `atClosing` only for homeworks. `yes` tells the students. */
export const shownForm = z.object({ shown })

/** PUT /course/{name}/gradebook/{columnId}/held: holds marks of these students back, or lets them go. */
export const heldForm = z.object({
  usernames: listOfUsernames(GRADEBOOK_LIMITS.edits, 1),
  held: z.boolean(),
})

/** Query of GET /course/{name}/gradebook/file. `explained`: beside each mark a column with the sentences that explain it. */
export const gradebookFileParams = z.object({
  explained: z.literal(['0', '1']).default('0'),
  label: labelIdText.optional(),
})

/**
 * GET /course/{name}/marks, of oneself, and GET /course/{name}/marks/{username}, exactly what that student sees, for staff; it is in the audit log. Staff
 * who may not see totals get none here. `marks`: those that are
 * shown, the total last. `reachable`: the most that the total can still become, in points; null where the total is not shown. `hidden`: names of homeworks whose marks are not shown yet.
 */
export const ownMarks = z.object({
  user: userInfo,
  marks: z.array(explainedMark),
  groups: z.array(group),
  total: z
    .object({ ...totalRule, max: z.number() })
    .omit({ forAssistants: true })
    .nullable(),
  reachable: z.number().nullable(),
  hidden: z.array(z.string()),
})
export type OwnMarks = z.infer<typeof ownMarks>

/** POST /course/{name}/gradebook/{columnId}/questions: a student asks to look at a shown mark again; not at the total, which follows the others. Markdown. */
export const newRegrade = z.object({ markdown: requiredText(TEXT_LIMITS.questionMarkdown) })

/** POST /question/{id}/regrade: how staff decide on a question about a mark. `points` null: the mark stays. `reason` as in `markEdits`. */
export const regradeDecision = z.object({
  points: points.nullable(),
  reason: z.string().max(TEXT_LIMITS.markReason).default(''),
})

/** A count of students by their percentage of a maximum: of `from` percent up to the next one's, the last one with 100. */
const bar = z.object({ from: z.int(), count: z.int() })

/** The quartiles of a list of numbers, in its unit; null where it is empty. */
const spread = z.object({
  count: z.int(),
  min: z.number(),
  lower: z.number(),
  median: z.number(),
  upper: z.number(),
  max: z.number(),
  mean: z.number(),
})
export type Spread = z.infer<typeof spread>

/** Query of GET /homework/{id}/statistics. */
export const statisticsParams = z.object({ label: labelIdText.optional() })

/**
 * GET /homework/{id}/statistics, for staff. `students`: of the homework, excused ones left out. `marks`: distribution in ten bars and in one for 100 %. `problems`: `tries` until
 * solved of those who have. `hoursBefore`: how long before the due time (negative: late) the submissions that count came. `byLabel`: spread in percent. `notBegun`: who has not
 * handed in anything; `email`: the confirmed address of an account that the course made, for those who manage members, else null.
 */
export const homeworkStatistics = z.object({
  students: z.int(),
  max: z.number(),
  marks: z.object({ bars: z.array(bar), spread: spread.nullable() }),
  problems: z.array(
    z.object({
      problemId: z.int(),
      name: z.string(),
      max: z.number(),
      tried: z.int(),
      solved: z.int(),
      tries: z.array(z.object({ tries: z.int(), count: z.int() })),
      marks: spread.nullable(),
    }),
  ),
  hoursBefore: z.array(z.object({ hours: z.int(), count: z.int() })),
  byLabel: z.array(z.object({ label: z.string(), marks: spread.nullable() })),
  notBegun: z.array(z.object({ user: userInfo, email: z.string().nullable() })),
})
export type HomeworkStatistics = z.infer<typeof homeworkStatistics>

/** How many people a page of the gradebook has unless the call says otherwise. */
export const GRADEBOOK_PAGE = COUNT_LIMITS.listItemsDefault
