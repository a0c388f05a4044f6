import { describe, expect, test } from 'vitest'
import {
  ALL_LANGUAGES_MASK,
  compileText,
  hasFactors,
  LANGUAGES,
  languageOf,
  languageOfId,
  runText,
  withFactors,
} from '#contract/languages'
import { SUBTASK_LIMITS } from '#contract/limits'

describe('the table of languages', () => {
  test('has codes in order, one bit each, and endings that tell them apart', () => {
    expect(LANGUAGES.map(({ code }) => code)).toEqual(LANGUAGES.map((_, index) => index))
    const bits = LANGUAGES.map(({ mask }) => mask)
    expect(bits.every((mask) => Number.isInteger(Math.log2(mask)))).toBe(true)
    expect(new Set(bits).size).toBe(LANGUAGES.length)
    expect(ALL_LANGUAGES_MASK).toBe(bits.reduce((sum, mask) => sum + mask, 0))
    const endings = LANGUAGES.flatMap(({ fileEndings }) => fileEndings)
    expect(new Set(endings).size).toBe(endings.length)
    expect(new Set(LANGUAGES.map(({ id }) => id)).size).toBe(LANGUAGES.length)
  })

  test('fits into one compound select of D1, which lists of submissions are made of', () => {
    expect(LANGUAGES.length).toBeLessThanOrEqual(5)
  })

  test('is found by code and by name', () => {
    for (const language of LANGUAGES) {
      expect(languageOf(language.code)).toBe(language)
      expect(languageOfId(language.id)).toBe(language)
    }
  })

  test('names programs by absolute paths, and its commands read like a shell’s', () => {
    for (const language of LANGUAGES) {
      const { versionArgv, compileArgv, runArgv } = language
      for (const argv of [versionArgv, compileArgv, runArgv]) expect(argv[0]).toMatch(/^\//)
      for (const text of [compileText(language), runText(language)])
        expect(text).toMatch(/^\/[^\n]+$/)
    }
    expect(compileText(languageOf(0))).toBe(
      '/usr/bin/gcc -DONLINE_JUDGE -O2 -w -std=gnu17 -fmax-errors=20 -o main main.c -lm',
    )
  })

  test('quotes what a shell would take apart', () => {
    expect(runText({ ...languageOf(0), runArgv: ['/bin/x', 'a b', "it's", ''] })).toBe(
      `/bin/x 'a b' 'it'\\''s' ''`,
    )
  })
})

describe('factors', () => {
  const subtask = { timeLimit: 1_001, memoryLimit: 65_537, caseCount: 3 }

  test('multiply time and memory, rounded up, and touch nothing else', () => {
    const factors = { timeFactor: 2.5, memoryFactor: 1.5 }
    expect(withFactors(subtask, factors)).toEqual({
      timeLimit: 2_503,
      memoryLimit: 98_306,
      caseCount: 3,
    })
    expect(withFactors(subtask, { timeFactor: 1, memoryFactor: 1 })).toEqual(subtask)
  })

  test('never lead above what a problem may ask for', () => {
    const most = { timeLimit: SUBTASK_LIMITS.timeMs.max, memoryLimit: SUBTASK_LIMITS.memoryKb.max }
    expect(withFactors(most, { timeFactor: 3, memoryFactor: 3 })).toEqual(most)
  })

  test('are said where they are not 1', () => {
    const c = languageOf(0)
    expect(hasFactors({ ...c, timeFactor: 1, memoryFactor: 1 })).toBe(false)
    expect(hasFactors({ ...c, timeFactor: 2, memoryFactor: 1 })).toBe(true)
    expect(hasFactors({ ...c, timeFactor: 1, memoryFactor: 2 })).toBe(true)
  })
})
