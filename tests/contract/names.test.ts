/** Names that people see contain no invisible characters. */
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { announcementEdit, newAnnouncement } from '#contract/announcements'
import { courseEdit, newCourse } from '#contract/courses'
import { toFieldErrors } from '#contract/fields'
import { homeworkForm, newHomework } from '#contract/homeworks'
import { runnerRegistration } from '#contract/judging'
import { courseNameKey, nameKey } from '#contract/names'
import { problemForm } from '#contract/problems'
import { newRunner, runnerEdit } from '#contract/judging/runners'
import { newToken } from '#contract/people/tokens'
import { newUser, profileChange, userChange } from '#contract/people/users'

/** Every body with a name that people see, and the path of the name in it. */
const NAMES: [string, z.ZodType, (name: string) => unknown, (string | number)[]][] = [
  ['a displayed name', profileChange, (displayedName) => ({ displayedName }), ['displayedName']],
  ['that of a new user', newUser, (displayedName) => ({ displayedName }), ['displayedName']],
  ['that of an edited user', userChange, (displayedName) => ({ displayedName }), ['displayedName']],
  ['a course', newCourse, (course) => ({ course }), ['course']],
  ['a renamed course', courseEdit, (course) => ({ newCourse: course }), ['newCourse']],
  ['a homework', homeworkForm, (name) => ({ name }), ['name']],
  ['a new homework', newHomework, (name) => ({ name }), ['name']],
  ['a problem', problemForm, (problemName) => ({ problemName }), ['problemName']],
  ['a tag', problemForm, (tag) => ({ tags: ['fine', tag] }), ['tags', 1]],
  ['a title', newAnnouncement, (title) => ({ title }), ['title']],
  ['an edited title', announcementEdit, (title) => ({ title }), ['title']],
  ['a token', newToken, (name) => ({ name }), ['name']],
  ['a runner', newRunner, (name) => ({ name }), ['name']],
  ['a renamed runner', runnerEdit, (name) => ({ name }), ['name']],
  ['a runner that registers', runnerRegistration, (name) => ({ name }), ['name']],
]

const HIDDEN: [string, string][] = [
  ['a turn to the right', '\u202e'],
  ['an isolate', '\u2066'],
  ['a mark of direction', '\u200f'],
  ['an Arabic letter mark', '\u061c'],
  ['a NUL', '\0'],
  ['a line break', '\n'],
  ['a C1 control', '\u0085'],
  ['a line separator', '\u2028'],
  ['a zero width space', '\u200b'],
  ['a zero width joiner among Latin letters', '\u200d'],
  ['a word joiner', '\u2060'],
  ['a byte order mark', '\ufeff'],
  ['a soft hyphen', '\u00ad'],
  ['a combining grapheme joiner', '\u034f'],
  ['a variation selector behind a letter', '\ufe0f'],
  ['a supplementary variation selector', '\u{e0100}'],
  ['a tag character', '\u{e0041}'],
  ['a Hangul filler', '\u3164'],
  ['a half width Hangul filler', '\uffa0'],
  ['a Khmer inherent vowel', '\u17b4'],
  ['a blank of Braille', '\u2800'],
  ['half of a pair', '\ud800'],
]

function errorAt(schema: z.ZodType, body: unknown, path: readonly (string | number)[]) {
  const { error } = schema.safeParse(body)
  const errors = error === undefined ? [] : toFieldErrors(error, body)
  return errors.find((each) => JSON.stringify(each.path) === JSON.stringify(path))
}

describe.each(NAMES)('the name of %s', (_, schema, bodyOf, path) => {
  test.each(HIDDEN)('with %s is refused, and the character is named', (__, character) => {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
    expect(errorAt(schema, bodyOf(`ab${character}cd`), path)).toMatchObject({
      code: 'character',
      message: `The character U+${code} is not allowed`,
    })
  })

  test('of hidden characters alone is refused', () => {
    expect(errorAt(schema, bodyOf('\u200b\u2060'), path)?.code).toBe('character')
  })
})

test('names in any script and with emoji are taken', () => {
  const names = [
    'José O’Neil 王小明',
    'برنامه\u200cنویسی',
    'क\u094d\u200dष',
    '👩🏽\u200d🚒 ❤\ufe0f 1\ufe0f⃣',
    '🏳\ufe0f\u200d🌈',
    'שָׁלוֹם',
    'Zalgo\u0301',
  ]
  for (const name of names)
    for (const [, schema, bodyOf, path] of NAMES.filter(([, , , path]) => path[0] === 'name'))
      expect(errorAt(schema, bodyOf(name), path), name).toBeUndefined()
})

test('a name is compared without case and width, whatever is folded first', () => {
  for (const name of ['Éa', 'ＡＢ', 'ΟΔΟΣ', 'Straße', 'STRAẞE', 'İ', 'ﬁ', 'ǅ', 'Ꭰ', 'ꭰ', '１ ２']) {
    const key = nameKey(name)
    for (const other of [name.toLowerCase(), name.toUpperCase(), name.normalize('NFKD'), key])
      expect(nameKey(other), name).toBe(key)
  }
})

test('only what looks like Public has its key', () => {
  for (const name of ['Publics', 'Republic', 'Publik', 'Public 2', 'Pabelic', 'Pub-lic'])
    expect(courseNameKey(name), name).not.toBe('public')
})
