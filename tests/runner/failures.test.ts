import { expect, test } from 'vitest'
import { faultOf, ImpossibleResultError, leavesSlotWhole } from '../../runner/failures.ts'
import { SandboxError } from '../../runner/sandbox/errors.ts'
import { NOT_FROM_SERVER, RefusedError, UnreachableError } from '../../runner/server/errors.ts'

const diskFull = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' })

test.each([
  ['the machine is too busy', new SandboxError('the machine is too busy'), 'host', false],
  ['the disk is full', diskFull, 'host', false],
  ['the network is gone', new UnreachableError('The download broke off'), 'host', true],
  ['test data are refused', new RefusedError(404, 'test_data_not_found', 'no'), 'job', true],
  ['a proxy refuses test data', new RefusedError(403, NOT_FROM_SERVER, 'no'), 'host', true],
  ['a result cannot be', new ImpossibleResultError('subtask 1'), 'job', true],
  ['a fault in the runner', new TypeError('undefined'), 'job', false],
] as const)('where %s', (_what, error, fault, whole) => {
  expect(faultOf(error)).toBe(fault)
  expect(leavesSlotWhole(error)).toBe(whole)
})
