import { createInstance } from 'i18next'
import { describe, expect, it } from 'vitest'
import { FIELD_MESSAGES } from '#contract/fields'
import { STATUS_NAMES } from '#contract/verdicts'
import chinese from '../../web/i18n/chinese.json' with { type: 'json' }
import english from '../../web/i18n/english.json' with { type: 'json' }
import taiwanese from '../../web/i18n/taiwanese.json' with { type: 'json' }
import { LOCALE_NAMES, localeOfTag, LOCALES, toLocaleName } from '../../web/lib/locale.ts'

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
    // Languages without plural forms keep `_other` alone, which english has too.
    expect([...catalogue.keys()].filter((key) => !source.has(key))).toEqual([])
  })

  it('has the same blanks in each text', () => {
    for (const [key, text] of catalogue)
      expect([key, blanks(text)]).toEqual([key, blanks(source.get(key) ?? '')])
  })

  it("translates the shell's texts", () => {
    const shell = [...source.keys()].filter((key) => /^(nav|scheme|locale|user|role)\./.test(key))
    expect(shell.filter((key) => !catalogue.has(key))).toEqual([])
  })
})

describe('the english catalogue', () => {
  it("holds the contract's field messages word for word", () => {
    expect(english.field).toEqual(FIELD_MESSAGES)
  })

  it('explains every verdict', () => {
    expect(Object.keys(english.verdict.help).toSorted()).toEqual(
      Object.keys(STATUS_NAMES).toSorted(),
    )
  })

  it("holds the spec's messages word for word", () => {
    expect(english.common.serverFailure).toBe('Oops! Our server failed to respond.')
    expect(english.signIn.ERR001).toBe(
      'Login Failed: Your username/email or password is incorrect.',
    )
    expect(english.submit.emptyCode).toBe('Please paste your source code to submit.')
    expect(english.submit.noLanguage).toBe('Please select the programming language.')
  })
})

describe('locales', () => {
  it('fall back to english where a key is missing', async () => {
    const i18n = createInstance()
    await i18n.init({
      lng: 'zh-TW',
      fallbackLng: 'en',
      load: 'currentOnly',
      resources: {
        en: { translation: { here: 'english', only: 'only english' } },
        'zh-TW': { translation: { here: '中文' } },
      },
    })
    expect(i18n.t('here')).toBe('中文')
    expect(i18n.t('only')).toBe('only english')
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
