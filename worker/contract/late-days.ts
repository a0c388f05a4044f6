/** Late days: budgets of days that students may hand in late without losing points. */
import * as z from 'zod'
import { hexId, intBetween, listOf, userInfo, visibleName } from '#contract/fields'
import { COUNT_LIMITS, LATE_DAY_LIMITS, TEXT_LIMITS } from '#contract/limits'

/** `auto`: days are used where they gain most. `asked`: only in homeworks where the student asked for them before closing. */
export const lateDaySpending = z.enum(['auto', 'asked'])
export type LateDaySpending = z.infer<typeof lateDaySpending>

const rule = {
  name: visibleName(TEXT_LIMITS.budgetName),
  size: intBetween(1, LATE_DAY_LIMITS.size),
  mostEach: intBetween(1, LATE_DAY_LIMITS.mostEach),
  spending: lateDaySpending,
  movesClosing: z.boolean(),
}

/**
 * A budget as homeworks show it. Each student has `size` late days in all its homeworks, at most `mostEach` in one of them. A late day moves
 * the due time by 24 hours, and with `movesClosing` the closing time, too.
 */
export const lateDayRule = z.object(rule)
export type LateDayRule = z.infer<typeof lateDayRule>

/**
 * A student's late days in a homework. `asked`: what the student asked for. `gain`: the points that `used` adds in this homework; null
 * for a student to whom the gradebook does not show the mark.
 */
export const lateDays = z.object({
  used: z.int(),
  left: z.int(),
  asked: z.int(),
  gain: z.number().nullable(),
})
export type LateDays = z.infer<typeof lateDays>

/** A budget with its homeworks. */
const budget = z.object({ id: z.int(), ...rule, homeworkIds: z.array(hexId) })
export type LateDayBudget = z.infer<typeof budget>

/**
 * GET /course/{name}/late-days. `people`: for staff every student by username, for students only themselves. `budgets` stand in the order of
 * the course's; `uses`: the homeworks that use days, by due time; `gain` as in `lateDays`.
 */
export const lateDayTable = z.object({
  budgets: z.array(budget),
  people: z.array(
    z.object({
      user: userInfo,
      budgets: z.array(
        z.object({
          left: z.int(),
          uses: z.array(
            z.object({
              homeworkId: hexId,
              name: z.string(),
              days: z.int(),
              gain: z.number().nullable(),
            }),
          ),
        }),
      ),
    }),
  ),
})
export type LateDayTable = z.infer<typeof lateDayTable>

/** PUT /course/{name}/late-days: all budgets of the course. `id` null: a new one. A homework has at most one budget. `If-Match`: the course's version. */
export const lateDayBudgets = z
  .object({
    budgets: listOf(
      z.object({
        id: z.int().min(1).nullable(),
        ...rule,
        homeworkIds: listOf(hexId, COUNT_LIMITS.budgetHomeworks),
      }),
      COUNT_LIMITS.budgets,
    ),
  })
  .superRefine(({ budgets }, context) => {
    const taken = new Set<string | number>()
    for (const [index, { id, homeworkIds }] of budgets.entries()) {
      const named = [
        ...(id === null ? [] : [[id, 'id'] as const]),
        ...homeworkIds.map((each) => [each, 'homeworkIds'] as const),
      ]
      for (const [each, field] of named) {
        if (taken.has(each))
          context.addIssue({
            code: 'custom',
            path: ['budgets', index, field],
            params: { code: 'invalid' },
          })
        taken.add(each)
      }
    }
  })
export type LateDayBudgets = z.infer<typeof lateDayBudgets>

/** PUT /homework/{id}/late-days: how many late days the caller wants to use here, before it closes. The same call again changes nothing. */
export const lateDayWish = z.object({ days: intBetween(0, LATE_DAY_LIMITS.mostEach) })
