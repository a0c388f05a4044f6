import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createInstance } from 'i18next'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '#contract/errors'
import { FIELD_MESSAGES } from '#contract/fields'
import { SETTINGS } from '#contract/installation/settings'
import { MARK_TEXTS } from '#contract/mark-sentences'
import { ROW_MESSAGES } from '#contract/people/signup-rows'
import { checkCaseCounts, checkTestData } from '#contract/problems/test-data'
import { STATUS_NAMES } from '#contract/verdicts'
import { chinese, english, taiwanese } from './fixtures/catalogues.ts'
import { countWords, sentencesOf } from '../../scripts/sentences.ts'
import frame from '../../web/i18n/english.json' with { type: 'json' }
import pages from '../../web/i18n/pages/english.json' with { type: 'json' }
import staff from '../../web/i18n/staff/english.json' with { type: 'json' }
import { SETTABLE } from '../../web/lib/api/error-text.ts'
import {
  FALLBACK_TAGS,
  LOCALE_NAMES,
  localeOfTag,
  LOCALES,
  toLocaleName,
} from '../../web/lib/format/locale.ts'
import { isForStaff, PAGES, type PageRow } from '../../web/pages.ts'

/** Every text by its dotted key. */
function flatten(tree: object, prefix = ''): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') texts.set(`${prefix}${key}`, value)
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) texts.set(inner, text)
  }
  return texts
}

function blanks(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '').toSorted()
}

const source = flatten(english)

describe.each([
  ['chinese', flatten(chinese)],
  ['taiwanese', flatten(taiwanese)],
])('the %s catalogue', (_, catalogue) => {
  it('has no key that english does not have', () => {
    // Languages without plural forms have only `_other`, which English has, too.
    expect([...catalogue.keys()].filter((key) => !source.has(key))).toEqual([])
  })

  it('has the same blanks in each text', () => {
    for (const [key, text] of catalogue)
      expect([key, blanks(text)]).toEqual([key, blanks(source.get(key) ?? '')])
  })
})

describe('the catalogues together', () => {
  it('chinese is complete', () => {
    const wanted = [...source.keys()].filter((key) => !/_(one|two|few)$/.test(key))
    expect(wanted.filter((key) => !flatten(chinese).has(key))).toEqual([])
  })

  it('taiwanese holds only what differs from chinese', () => {
    const other = flatten(chinese)
    const same = [...flatten(taiwanese)].filter(([key, text]) => other.get(key) === text)
    expect(same).toEqual([])
  })

  it('no text of theirs is left in english', () => {
    const letters = [...flatten(chinese)].filter(
      ([key, text]) => key !== 'signIn.debug' && !/\p{Script=Han}|^\{\w+\} \/ \{\w+\}$/u.test(text),
    )
    expect(letters).toEqual([])
  })
})

describe('the english catalogue', () => {
  it("holds the contract's field messages word for word", () => {
    expect(english.field).toEqual(FIELD_MESSAGES)
  })

  it("holds the contract's messages about rows of a file word for word", () => {
    expect(english.row).toEqual(ROW_MESSAGES)
  })

  it("holds the contract's sentences about marks word for word", () => {
    expect(english.marks.sentence).toEqual(MARK_TEXTS)
  })

  it("holds the API's messages word for word", () => {
    const messages = new Map<string, string>(
      Object.entries(ERRORS).map(([code, [, message]]) => [code, message]),
    )
    for (const [code, text] of Object.entries(english.error))
      expect([code, text]).toEqual([code, messages.get(code)])
  })

  it('holds the fixes of settings word for word', () => {
    for (const name of SETTABLE) expect(english.fix[name]).toBe(SETTINGS[name].fix)
  })

  it('has a text for everything the rules of test data say', () => {
    const file = { isDirectory: false, isSymlink: false, isEncrypted: false, compressionMethod: 0 }
    const entry = { ...file, name: '0000.in', sizeBytes: 1, packedBytes: 1, offset: 0 }
    const bad = [
      [{ isDirectory: true }, { isSymlink: true }, { isEncrypted: true }, { name: 'x' }],
      [{ compressionMethod: 12 }, { sizeBytes: 2 ** 40 }, { sizeBytes: 2 }, {}, {}],
    ]
      .flat()
      .map((change) => ({ ...entry, ...change }))
    const found = [
      ...checkTestData(bad).errors,
      ...checkTestData([]).errors,
      ...checkCaseCounts([1], [2]),
    ]
    const codes = [...new Set(found.map(({ code }) => code))]
    expect(codes).toHaveLength(12)
    expect(codes.filter((code) => !(code in english.entry))).toEqual([])
  })
})

describe('the english texts', () => {
  it('name and explain every verdict', () => {
    expect(english.verdict.name).toEqual(STATUS_NAMES)
    expect(Object.keys(english.verdict.help).toSorted()).toEqual(
      Object.keys(STATUS_NAMES).toSorted(),
    )
  })

  it("hold the product's messages word for word", () => {
    expect(english.common.serverFailure).toBe('Oops! Our server failed to respond.')
    expect(english.signIn.ERR001).toBe(
      'Login Failed: Your username/email or password is incorrect.',
    )
    expect(english.signIn.ERR002).toBe(
      'Login Failed: Your account is not activated yet, please go to {host} to verify your email.',
    )
    expect(english.signIn.UNKNOWN).toBe(
      'Unknown Error, please contact teaching assistants or maintainers, or try again later.',
    )
    expect(english.common.wrong).toBe(
      'Oops! Something went wrong, please refresh the page to try again.',
    )
    expect(english.submit.failed).toBe(
      'Oops! Something went wrong when submitting the code. Try again later.',
    )
    expect(english.courses.unknownError).toBe('Unknown error occurred :(')
    expect(english.passwordReset.sent).toBe('Email sent, please check your inbox.')
    expect(english.password.mismatch).toBe('Password does not match.')
    expect(english.password.wrong).toBe('Wrong Password')
    expect(english.password.failed).toBe('Operation failed, please try again later')
    expect(english.submit.emptyCode).toBe('Please paste your source code to submit.')
    expect(english.submit.noLanguage).toBe('Please select the programming language.')
  })
})

describe('a sentence of the app or the API', () => {
  const sentences = [
    ...source.values(),
    ...Object.values(ERRORS).map(([, message]) => message),
  ].flatMap(sentencesOf)

  it('has at most twenty words', () => {
    expect(sentences.filter((sentence) => countWords(sentence) > 20)).toEqual([])
  })

  it('begins with its subject, unless it asks or is a label', () => {
    const hidden = /^(?:Who|Whoever|Whom|Whose|What|Whatever|Whichever|Nobody|Somebody)\b.*\.$/
    expect(sentences.filter((sentence) => hidden.test(sentence))).toEqual([])
  })
})

describe('the texts that travel with the app', () => {
  const root = new URL('../../web/', import.meta.url)
  const modules = ['layout/', 'lib/', 'features/home/'].flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => [`${folder}${name}`, readFileSync(new URL(`${folder}${name}`, root), 'utf8')]),
  )
  // These texts show only after a page, the palette or the account menu has loaded the pages' catalogue.
  const onPages = {
    'lib/api/field-text.ts': ['row', 'entry', 'password'],
    'lib/drafts/kept-form.ts': ['save'],
    'lib/session/new-password.ts': ['password'],
    'layout/password-dialog.tsx': ['password'],
    'layout/sign-out-dialog.tsx': ['signOut'],
    'layout/admin-layout.tsx': ['admin'],
    'layout/course-news.tsx': ['news'],
    'layout/news-banner.tsx': ['news'],
    'layout/confirm-email.tsx': ['join', 'profile'],
    'layout/command-palette.tsx': ['palette'],
    'layout/palette-entries.ts': ['palette'],
  }

  it.each(modules)('are all that %s shows', (name, code) => {
    const sections = [...code.matchAll(/\bt\(\s*['`](\w+)\./g)].map(([, section = '']) => section)
    const allowed = Reflect.get(onPages, name) ?? []
    expect(sections.filter((each) => !(each in frame) && !allowed.includes(each))).toEqual([])
  })

  it('share no section with those of the pages but the errors, and no error', () => {
    expect(Object.keys(frame).filter((section) => section in pages)).toEqual(['error'])
    expect(Object.keys(frame.error).filter((code) => code in pages.error)).toEqual([])
  })
})

describe('the texts of pages for staff', () => {
  const root = fileURLToPath(new URL('../../web/', import.meta.url))

  /** These files of the app, and every file that they import at once or later. */
  function withImports(files: string[]): Set<string> {
    const found = new Set<string>()
    function add(file: string): void {
      if (found.has(file)) return
      found.add(file)
      const code = readFileSync(file, 'utf8')
      for (const [, path = ''] of code.matchAll(/(?:from|import\()\s*'(\.[^']+\.tsx?)'/g))
        add(resolve(dirname(file), path))
    }
    for (const file of files) add(resolve(root, file))
    return found
  }

  const rows: readonly PageRow[] = Object.values(PAGES)
  const filesOf = (list: readonly PageRow[]) => list.map(([, file]) => `features/${file}.tsx`)
  const textKeys = [...flatten(staff).keys()]
  /** The sections of staff's texts that files name; a right may begin with the same word. */
  const sectionsIn = (files: Set<string>) =>
    [...files]
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/['"`](\w+)((?:\.\w+)+)/g)])
      .filter(([, section = '', rest = '']) =>
        textKeys.some((key) => key.startsWith(`${section}${rest}`)),
      )
      .map(([, section]) => section)

  it('share no section with the others', () => {
    const others = [frame, pages].flatMap((each) => Object.keys(each))
    expect(others.filter((section) => section in staff)).toEqual([])
  })

  it('show on pages for staff, and nowhere else', () => {
    const layouts = readdirSync(join(root, 'layout')).filter((name) => name.endsWith('.tsx'))
    const others = filesOf(rows.filter((row) => !isForStaff(row)))
    expect(
      sectionsIn(withImports([...layouts.map((name) => `layout/${name}`), ...others])),
    ).toEqual([])
    const shown = sectionsIn(withImports(filesOf(rows.filter(isForStaff))))
    expect(Object.keys(staff).filter((section) => !shown.includes(section))).toEqual([])
  })
})

describe('locales', () => {
  it('fall back to what chinese has, then to english, where a key is missing', async () => {
    const i18n = createInstance()
    await i18n.init({
      lng: 'nan-TW',
      fallbackLng: FALLBACK_TAGS,
      load: 'currentOnly',
      resources: {
        en: { translation: { own: 'english', both: 'english', only: 'only english' } },
        'zh-TW': { translation: { own: '中文', both: '中文' } },
        'nan-TW': { translation: { own: '台語' } },
      },
    })
    const texts = ['own', 'both', 'only'].map((key) => i18n.t(key))
    expect(texts).toEqual(['台語', '中文', 'only english'])
    await i18n.changeLanguage('zh-TW')
    expect(['both', 'only'].map((key) => i18n.t(key))).toEqual(['中文', 'only english'])
  })

  it.each([
    ['english', 'english'],
    ['chinese', 'chinese'],
    ['taiwanese', 'taiwanese'],
    ['klingon', 'english'],
    ['', 'english'],
    [null, 'english'],
  ])('reads the stored name %j as %s', (stored, expected) => {
    expect(toLocaleName(stored)).toBe(expected)
  })

  it('know their tags both ways, and Intl knows the tags', () => {
    for (const name of LOCALE_NAMES) {
      expect(localeOfTag(LOCALES[name].tag)).toBe(name)
      expect(() => new Intl.PluralRules(LOCALES[name].tag)).not.toThrow()
    }
  })
})
