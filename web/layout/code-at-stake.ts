import { createStore } from '../lib/store.ts'
import type { UnsubmittedCode } from '../lib/unsubmitted.ts'

/** What signing out would delete, while its person is asked; else null. */
export const codeAtStake = createStore<UnsubmittedCode[] | null>(null)
