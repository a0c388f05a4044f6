/** Faults that somebody could make in the rules of the judge. `npm run mutants` makes each of them; a test has to fail. */
import { ACCOUNTS } from './mutations/accounts.ts'
import { COMBINATIONS } from './mutations/combinations.ts'
import { JUDGING } from './mutations/judging.ts'
import type { Mutation } from './mutations/mutation.ts'
import { PROBLEMS } from './mutations/problems.ts'
import { PROTOCOL } from './mutations/protocol.ts'
import { RIGHTS } from './mutations/rights.ts'
import { RULES } from './mutations/rules.ts'
import { SANDBOX } from './mutations/sandbox.ts'
import { SUBMISSIONS } from './mutations/submissions.ts'

export const MUTATIONS: readonly Mutation[] = [
  ...RULES,
  ...RIGHTS,
  ...ACCOUNTS,
  ...PROBLEMS,
  ...SUBMISSIONS,
  ...JUDGING,
  ...COMBINATIONS,
  ...PROTOCOL,
  ...SANDBOX,
]
