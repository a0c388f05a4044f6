import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  compileText,
  hasFactors,
  LANGUAGES,
  languageOf,
  languageOfFence,
  languageOfId,
  runText,
  withFactors,
} from '#contract/languages'
import { ALL_LANGUAGES_MASK, languageCode, languageId } from '#contract/languages/codes'
import { SUBTASK_LIMITS } from '#contract/limits'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

describe('the table of languages', () => {
  test('has codes in order, one bit each, and endings that tell them apart', () => {
    expect(LANGUAGES.map(({ code }) => code)).toEqual(LANGUAGES.map((_, index) => index))
    const bits = LANGUAGES.map(({ mask }) => mask)
    expect(bits.every((mask) => Number.isInteger(Math.log2(mask)))).toBe(true)
    expect(new Set(bits).size).toBe(LANGUAGES.length)
    expect(ALL_LANGUAGES_MASK).toBe(bits.reduce((sum, mask) => sum + mask, 0))
    expect(languageId.options).toEqual(LANGUAGES.map(({ id }) => id))
    expect([...languageCode.values]).toEqual(LANGUAGES.map(({ code }) => code))
    const endings = LANGUAGES.flatMap(({ fileEndings }) => fileEndings)
    expect(new Set(endings).size).toBe(endings.length)
    expect(new Set(LANGUAGES.map(({ id }) => id)).size).toBe(LANGUAGES.length)
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
    expect(LANGUAGES.map((language) => [compileText(language), runText(language)])).toEqual([
      [
        '/usr/bin/gcc -DONLINE_JUDGE -O2 -w -std=gnu17 -fmax-errors=20 -o main main.c -lm',
        '/box/main',
      ],
      [
        '/usr/bin/g++ -DONLINE_JUDGE -O2 -w -std=gnu++20 -fmax-errors=20 -I/tools/include -o main main.cpp -lm',
        '/box/main',
      ],
      [
        `/usr/bin/python3 -c "compile(open('main.py', 'rb').read(), 'main.py', 'exec')"`,
        '/usr/bin/python3 -B /box/main.py',
      ],
    ])
  })

  test('is that of the wire, of files and of masks', () => {
    expect(
      LANGUAGES.map(({ code, id, label, mask, file, fileEndings, artefact }) => ({
        code,
        id,
        label,
        mask,
        file,
        fileEndings,
        artefact,
      })),
    ).toEqual([
      {
        code: 0,
        id: 'c',
        label: 'C',
        mask: 1,
        file: 'main.c',
        fileEndings: ['c'],
        artefact: 'main',
      },
      {
        code: 1,
        id: 'cpp',
        label: 'C++',
        mask: 2,
        file: 'main.cpp',
        fileEndings: ['cpp', 'cc', 'cxx'],
        artefact: 'main',
      },
      {
        code: 2,
        id: 'py3',
        label: 'Python 3',
        mask: 4,
        file: 'main.py',
        fileEndings: ['py'],
        artefact: 'main.py',
      },
    ])
    expect(LANGUAGES.filter(hasFactors)).toEqual([])
  })

  test('quotes what a shell would take apart', () => {
    expect(runText({ ...languageOf(0), runArgv: ['/bin/x', 'a b', "it's", ''] })).toBe(
      `/bin/x 'a b' 'it'\\''s' ''`,
    )
  })
})

test('the student’s guide has a row for each language, and what it calls standard input and output', () => {
  const guide = read('docs/students-guide.md')
  for (const { label, streams } of LANGUAGES) {
    expect(guide.split('\n').map((line) => line.split('|')[1]?.trim())).toContain(label)
    for (const name of Object.values(streams)) expect(guide).toContain(`\`${name}\``)
  }
})

describe('what a language has is in its own file', () => {
  /** The files that match every pattern. */
  function filesWith(files: string, ...patterns: RegExp[]): string[] {
    return globSync(files, { cwd: ROOT, exclude: ['**/node_modules', '**/build'] })
      .filter((file) => patterns.every((pattern) => pattern.test(read(file))))
      .toSorted()
  }

  test('its packages', () => {
    expect(
      filesWith('{worker,web,runner,scripts,docs}/**/{Dockerfile,*.{ts,sh,md}}', /libc6-dev/),
    ).toEqual(['worker/contract/languages/c.ts'])
  })

  test('and all else: only checkers and interactors list languages', () => {
    expect(filesWith('{worker,web,runner}/**/*.{ts,tsx}', /\bcpp\b/, /\bpy3\b/)).toEqual([
      'web/features/problems/edit/compare-fields.tsx',
      'worker/contract/languages.ts',
      'worker/contract/languages/codes.ts',
      'worker/contract/problems/compare.ts',
    ])
  })
})

describe('code blocks of Markdown', () => {
  test.each([
    ['c', 'c'],
    ['h', 'c'],
    ['C++', 'cpp'],
    ['cxx', 'cpp'],
    ['hpp', 'cpp'],
    ['Python3', 'py3'],
    ['py', 'py3'],
    ['', undefined],
    ['text', undefined],
  ])('named “%s” after the fence are of %s', (name, id) => {
    expect(languageOfFence(name)?.id).toBe(id)
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
