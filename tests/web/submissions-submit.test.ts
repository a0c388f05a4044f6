import { describe, expect, it } from 'vitest'
import { languageOf } from '#contract/languages'
import { SOURCE_LIMIT_BYTES } from '#contract/limits'
import { failureKind } from '../../web/features/submit/submit-failure.ts'
import { ApiError } from '../../web/lib/api/api-error.ts'
import { languageOfFile, preselect, refusalOf } from '../../web/features/submit/source.ts'

const c = languageOf(0)

describe('the language', () => {
  it.each([
    [7, null, undefined],
    [7, 'cpp', 'cpp'],
    [7, 'java', undefined],
    [4, null, 'py3'],
    [4, 'c', 'py3'],
    [3, 'py3', undefined],
  ])('of mask %i after %j is preselected as %j', (mask, last, expected) => {
    expect(preselect(mask, last)?.id).toBe(expected)
  })

  it.each([
    ['main.c', 7, 'c'],
    ['A.CPP', 7, 'cpp'],
    ['x.cc', 7, 'cpp'],
    ['x.py', 7, 'py3'],
    ['x.py', 3, undefined],
    ['x.txt', 7, undefined],
    ['c', 7, 'c'],
  ])('of the file %s with mask %i is %j', (name, mask, expected) => {
    expect(languageOfFile(name, mask)?.id).toBe(expected)
  })
})

describe('refusalOf', () => {
  it.each([
    ['', c, 'emptyCode'],
    ['x', null, 'noLanguage'],
    [' \n', c, null],
    ['x'.repeat(SOURCE_LIMIT_BYTES), c, null],
    ['é'.repeat(SOURCE_LIMIT_BYTES / 2 + 1), c, 'tooLarge'],
  ] as const)('judges code no. %#', (code, language, expected) => {
    expect(refusalOf(code, language)).toBe(expected)
  })
})

describe('failureKind', () => {
  it.each([
    [401, null],
    [403, 'reason'],
    [429, 'reason'],
    [500, 'generic'],
    [0, 'generic'],
  ])('of an answer with status %i is %j', (status, expected) => {
    expect(failureKind(new ApiError({ status, code: 'any', message: 'Any.' }))).toBe(expected)
  })

  it('of what is no answer is generic, and of no failure nothing', () => {
    expect(failureKind(new Error('broken'))).toBe('generic')
    expect(failureKind(null)).toBeNull()
  })
})
