/** The fields of the form of late days, and their conversion from and to the contract. */
import type { LateDayBudget, LateDayBudgets, LateDayRule } from '#contract/late-days'
import { newIdempotencyKey } from '../../lib/api/api.ts'
import { toNumber, type NumberField } from '../../lib/format/number-field.ts'

export type BudgetValues = Omit<LateDayBudget, 'id' | 'size' | 'mostEach'> & {
  /** null: a new one. */
  id: number | null
  /** Tells the fields of one budget from those of another. */
  key: string
  size: NumberField
  mostEach: NumberField
}
export type BudgetsValues = { budgets: BudgetValues[] }

/** New late days: those that most courses have. */
export function newBudget(name: string): BudgetValues {
  const rule = { size: 5, mostEach: 2, spending: 'auto', movesClosing: true } as const
  return { id: null, key: newIdempotencyKey(), name, ...rule, homeworkIds: [] }
}

export function toBudgetsValues(budgets: readonly LateDayBudget[]): BudgetsValues {
  return { budgets: budgets.map((budget) => ({ ...budget, key: String(budget.id) })) }
}

export function toBudgets({ budgets }: BudgetsValues): LateDayBudgets {
  return {
    budgets: budgets.map(({ id, name, size, mostEach, spending, movesClosing, homeworkIds }) => ({
      id,
      name,
      spending,
      movesClosing,
      homeworkIds,
      size: toNumber(size),
      mostEach: toNumber(mostEach),
    })),
  }
}

/** The rule that the fields mean; null while a number is missing. */
export function ruleOf({ size, mostEach, ...rule }: BudgetValues): LateDayRule | null {
  if (size === '' || mostEach === '' || size < 1 || mostEach < 1) return null
  return { ...rule, size, mostEach }
}
